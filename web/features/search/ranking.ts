export interface Findable {
  title: string
  /** Alternative names. */
  keywords?: string
}

/** Items that match the query, best first; equal matches keep their order. */
export function rank<Item extends Findable>(items: readonly Item[], query: string): Item[] {
  const meant = matching(items, query)
  return meant.length > 0 ? meant : matching(items, otherLayout(query))
}

function matching<Item extends Findable>(items: readonly Item[], query: string): Item[] {
  const wanted = splitWords(query)
  if (wanted.length === 0) return []
  return items
    .map((item) => ({ item, score: Math.min(...wanted.map((word) => scoreOf(item, word))) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

function scoreOf({ title, keywords = '' }: Findable, wanted: string): number {
  const own = splitWords(title)
  if (own[0]?.startsWith(wanted)) return 3
  if (own.some((word) => word.startsWith(wanted))) return 2
  return splitWords(keywords).some((word) => word.startsWith(wanted)) ? 1 : 0
}

function splitWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}[\];'`,.]+/gu) ?? []
  )
}

const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю'

const toCyrillic = new Map([...latin].map((key, index) => [key, cyrillic[index] ?? key]))
const toLatin = new Map([...cyrillic].map((key, index) => [key, latin[index] ?? key]))

/** The same keys in the other keyboard layout: «ghjabkm» is «профиль». */
export function otherLayout(text: string): string {
  const keys = /[а-яё]/i.test(text) ? toLatin : toCyrillic
  return [...text.toLowerCase()].map((character) => keys.get(character) ?? character).join('')
}
