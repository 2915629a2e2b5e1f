/** Only TeX writes these outside of code. */
const TEX_SIGN = /[\\^_{}]/
const RELATION = /[=≈≠≤≥<>]/
const CYRILLIC = /[а-яё]/i
const LATIN = /[a-z]/i
const FUNCTIONS = new Set('sin cos tan tg cot ctg log ln lg lim max min mod exp det gcd arg deg dim ker'.split(' '))

/** What cannot be told from prose by its signs is a formula only when it is short. */
const PLAIN_LIMIT = 200

/** Whether what stands between two delimiters is a formula, and not prices, shell variables or prose. */
export function isFormula(content: string): boolean {
  const text = content.trim()
  if (text === '') return false
  if (TEX_SIGN.test(text)) return true
  if (text.length > PLAIN_LIMIT) return false
  if (CYRILLIC.test(text)) return LATIN.test(text) && RELATION.test(text) && !/[a-zа-яё]{5}/i.test(text)
  if (!/[[\]]/.test(text) && text.split('(').length !== text.split(')').length) return false
  const words = (text.match(/[a-z]{2,}/gi) ?? []).filter((word) => !FUNCTIONS.has(word.toLowerCase()))
  const mayHaveNames = !/\s/.test(text) || (RELATION.test(text) && !/^\d/.test(text))
  return mayHaveNames ? words.every((word) => word.length < 5) : words.length === 0
}

/** `\(…\)`: hardly ever anything else, except escaped brackets around words. */
export function isParenFormula(content: string): boolean {
  return content.trim() !== '' && (!CYRILLIC.test(content) || isFormula(content))
}

/** `\[…\]`: escaped brackets are also how a list of sources is written, «\[1\] Иванов». */
export function isBracketFormula(content: string): boolean {
  return /[\\^_{}=+*/<>]/.test(content) && isParenFormula(content)
}

/** The same with a line of its own, where a single letter is a formula too. */
export function isBracketLine(content: string): boolean {
  return !/^\s*\d+\s*$/.test(content) && isParenFormula(content)
}

interface Dollars {
  /** The characters outside of the dollars; empty at the ends of the text. */
  before: string
  after: string
  content: string
}

/** `$…$`: a price has a space, a digit or a letter where a formula has none. */
export function isDollarFormula({ before, content, after }: Dollars): boolean {
  if (/[\p{L}\p{N}]/u.test(before) || /[\p{L}\p{N}]/u.test(after)) return false
  if (/^\s|\s$/.test(content) && !(TEX_SIGN.test(content) && !CYRILLIC.test(content))) return false
  return isFormula(content)
}
