const MAX_WORDS = 12
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** A word as it is compared: small letters, «е» for «ё». */
export const fold = (text: string) => text.toLowerCase().replaceAll('ё', 'е')

/** The words of a question: letters and digits only, so nothing of it can be taken for an operator. */
export function wordsOf(query: string): string[] {
  return (fold(query.normalize('NFC')).match(WORD) ?? []).slice(0, MAX_WORDS)
}

const consonants = 'бвгджзлмнпрстфхцчшщ'
/** «Списка», «настройки», «письму»: a vowel comes in between when the ending goes. */
const closed = new RegExp(
  `^(.+[${consonants}]|.+[аеиоуыэюя](?=й))([ьй]?)([бгклнрц]|(?<=ь)м)(?:а|я|и|ы|у|ю|е|о|ом|ем|ой|ей|ам|ям|ами|ями|ах|ях|ов)$`,
)
/** «Список», «настроек», «писем»: the vowel that goes when an ending comes. */
const opened = new RegExp(`^(.+[${consonants}аеиоуыэюя])[ое]([бгклмнрц])ь?$`)

/**
 * The word and what it may look like inside: endings are the dictionary's work, a vowel that comes and goes is not.
 * A shape that does not exist finds nothing, so all that are possible are asked for. Short words would become others.
 */
export function shapesOf(word: string): string[] {
  const [, head = '', soft = '', last = ''] = closed.exec(word) ?? []
  if (head.length + soft.length > 2 && !head.endsWith(last)) {
    return [word, ...(soft ? ['е'] : ['о', 'е']).map((vowel) => head + vowel + last)]
  }
  const [, start = '', end = ''] = opened.exec(word) ?? []
  if (start.length < 3) return [word]
  return [word, ...(/[аеиоуыэюя]$/.test(start) ? ['й'] : ['', 'ь']).map((between) => start + between + end)]
}

const latin = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const cyrillic = 'йцукенгшщзхъфывапролджэячсмитьбюё'

/** What the same keys give in the other layout; null when the query is of both or of neither. */
export function otherLayout(query: string): string | null {
  const text = query.toLowerCase()
  const [isLatin, isCyrillic] = [/[a-z]/.test(text), /[а-яё]/.test(text)]
  if (isLatin === isCyrillic) return null
  const [from, to] = isLatin ? [latin, cyrillic] : [cyrillic, latin]
  return [...text].map((sign) => to[from.indexOf(sign)] ?? sign).join('')
}
