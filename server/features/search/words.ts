const MAX_WORDS = 12
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Lower case, with «е» for «ё»: two words are equal when this is equal. */
export const fold = (text: string) => text.toLowerCase().replaceAll('ё', 'е')

/** Only alphanumeric words, so that nothing in the query can be read as a tsquery operator. */
export function wordsOf(query: string): string[] {
  return (fold(query.normalize('NFC')).match(WORD) ?? []).slice(0, MAX_WORDS)
}

const consonants = 'бвгджзлмнпрстфхцчшщ'
/** «Списка», «настройки», «письму»: without the ending a vowel appears (список, настроек, писем). */
const withoutVowel = new RegExp(
  `^(.+[${consonants}]|.+[аеиоуыэюя](?=й))([ьй]?)([бгклнрц]|(?<=ь)м)(?:а|я|и|ы|у|ю|е|о|ом|ем|ой|ей|ам|ям|ами|ями|ах|ях|ов)$`,
)
/** «Список», «настроек», «писем»: the vowel disappears before an ending. */
const withVowel = new RegExp(`^(.+[${consonants}аеиоуыэюя])[ое]([бгклмнрц])ь?$`)

/**
 * The word and its forms with a fleeting vowel, which the stemmer of Postgres does not know. Forms that do not exist
 * find nothing, so all candidates are returned. Short words have none: they would become other words.
 */
export function formsOf(word: string): string[] {
  const [, head = '', soft = '', last = ''] = withoutVowel.exec(word) ?? []
  if (head.length + soft.length > 2 && !head.endsWith(last)) {
    return [word, ...(soft ? ['е'] : ['о', 'е']).map((vowel) => head + vowel + last)]
  }
  const [, start = '', end = ''] = withVowel.exec(word) ?? []
  if (start.length < 3) return [word]
  return [word, ...(/[аеиоуыэюя]$/.test(start) ? ['й'] : ['', 'ь']).map((between) => start + between + end)]
}

const latin = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const cyrillic = 'йцукенгшщзхъфывапролджэячсмитьбюё'

/** Null when it mixes both alphabets or has neither. */
export function otherLayout(query: string): string | null {
  const text = query.toLowerCase()
  const [isLatin, isCyrillic] = [/[a-z]/.test(text), /[а-яё]/.test(text)]
  if (isLatin === isCyrillic) return null
  const [from, to] = isLatin ? [latin, cyrillic] : [cyrillic, latin]
  return [...text].map((sign) => to[from.indexOf(sign)] ?? sign).join('')
}

const confusedPairs = ['оа', 'еи', 'еэ', 'иы', 'йи', 'шщ', 'жш', 'зс', 'дт', 'бп', 'гк', 'вф', 'цс', 'ую', 'ая', 'ое']
const soundAlike = new Set(confusedPairs.flatMap(([a = '', b = '']) => [a + b, b + a]))

const MAX_CORRECTIONS = 4
/** A longer word is no typing error, and comparing takes the square of its length. */
const MAX_CORRECTED = 32
/** Known words that are compared with one word, character by character. */
const MAX_COMPARED = 200

/** The largest distance of a correction: one edit, in a long word two. */
const maxDistance = ({ length }: string) => (length < 4 || length > MAX_CORRECTED ? 0 : length < 8 ? 1 : 2)

/** With `begins` the word may be the beginning of a known one. */
export function findCorrections(word: string, known: string[], begins: boolean): string[] {
  let best = maxDistance(word)
  let compared = 0
  let corrections: string[] = []
  if (best === 0) return []
  for (const candidate of known) {
    if (candidate.length < word.length - best || (!begins && candidate.length > word.length + best)) continue
    if (countMissing(word, candidate) > best * 2) continue
    compared += 1
    if (compared > MAX_COMPARED) break
    const far = begins
      ? Math.min(editDistance(word, candidate, best), editDistance(word, candidate.slice(0, word.length), best))
      : editDistance(word, candidate, best)
    if (far < best) [best, corrections] = [far, []]
    if (far === best) corrections.push(candidate)
  }
  return corrections.slice(0, MAX_CORRECTIONS)
}

/** A cheap filter before the edit distance. */
function countMissing(word: string, other: string): number {
  let count = 0
  for (const character of word) if (!other.includes(character)) count++
  return count
}

/** Damerau–Levenshtein distance in which characters that sound alike cost half. Infinite above `limit`. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next.push(cellCost(a, b, i, j, { before, row, next }))
    if (Math.min(...next) > limit) return Number.POSITIVE_INFINITY
    ;[before, row] = [row, next]
  }
  const total = row[b.length] ?? 0
  return total > limit ? Number.POSITIVE_INFINITY : total
}

interface Rows {
  before: number[]
  row: number[]
  next: number[]
}

function cellCost(a: string, b: string, i: number, j: number, { before, row, next }: Rows): number {
  const [left, right] = [a.charAt(i - 1), b.charAt(j - 1)]
  const replaced = left === right ? 0 : soundAlike.has(left + right) ? 0.5 : 1
  const swapped = i > 1 && j > 1 && left === b.charAt(j - 2) && a.charAt(i - 2) === right
  return Math.min(
    (row[j] ?? 0) + 1,
    (next[j - 1] ?? 0) + 1,
    (row[j - 1] ?? 0) + replaced,
    swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
  )
}
