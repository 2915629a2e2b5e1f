/** Outside of code only TeX uses these characters. */
const TEX_SIGN = /[\\^_{}]/
const RELATION = /[=≈≠≤≥<>]/
const CYRILLIC = /[а-яё]/i
const LATIN = /[a-z]/i
const FUNCTIONS = new Set('sin cos tan tg cot ctg log ln lg lim max min mod exp det gcd arg deg dim ker'.split(' '))

/** Without TeX characters only a short text is taken for a formula. */
const PLAIN_LIMIT = 200

/** Whether the text between two delimiters is a formula and not prices, shell variables or prose. */
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

/** `\(…\)`: almost always a formula, except escaped brackets around Russian words. */
export function isParenFormula(content: string): boolean {
  return content.trim() !== '' && (!CYRILLIC.test(content) || isFormula(content))
}

/** `\[…\]`: a list of sources is written with escaped brackets too, «\[1\] Иванов». */
export function isBracketFormula(content: string): boolean {
  return /[\\^_{}=+*/<>]/.test(content) && isParenFormula(content)
}

/** The same on a line of its own, where a single character is a formula too. */
export function isBracketLine(content: string): boolean {
  return !/^\s*\d+\s*$/.test(content) && isParenFormula(content)
}

interface Dollars {
  /** The characters next to the dollars on the outside; empty at the ends of the text. */
  before: string
  after: string
  content: string
}

/** `$…$`: prices have a space inside the dollars, or a word character right outside of them. */
export function isDollarFormula({ before, content, after }: Dollars): boolean {
  if (/[\p{L}\p{N}]/u.test(before) || /[\p{L}\p{N}]/u.test(after)) return false
  if (/^\s|\s$/.test(content) && !(TEX_SIGN.test(content) && !CYRILLIC.test(content))) return false
  return isFormula(content)
}
