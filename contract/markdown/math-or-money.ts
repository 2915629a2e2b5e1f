/** Outside of code only TeX uses these characters. */
const TEX_SIGN = /[\\^_{}]/
/** Commands, powers and groups: no price and no name of a variable has them. */
const STRONG_TEX = /\\[a-zA-Z]|[\^{}]/
const RELATION = /[=≈≠≤≥<>]/
const CYRILLIC = /[а-яё]/i
const LATIN = /[a-z]/i
const WORD_SIGN = /[\p{L}\p{N}]/u
const FUNCTIONS = new Set('sin cos tan tg cot ctg log ln lg lim max min mod exp det gcd arg deg dim ker'.split(' '))

/** Without TeX characters only a short text is taken for a formula. */
const PLAIN_LIMIT = 200

/** Whether the text between two delimiters is a formula and not prices, shell variables or prose. */
export function isFormula(content: string): boolean {
  const text = content.trim()
  if (text === '') return false
  if (TEX_SIGN.test(text)) return true
  if (text.length > PLAIN_LIMIT || /[-+*/=]$/.test(text)) return false
  if (CYRILLIC.test(text)) return LATIN.test(text) && RELATION.test(text) && !/[a-zа-яё]{5}/i.test(text)
  if (!/[[\]]/.test(text) && text.split('(').length !== text.split(')').length) return false
  const words = wordsIn(text)
  const mayHaveNames = !/\s/.test(text) || (RELATION.test(text) && !/^\d/.test(text))
  if (mayHaveNames) return words.every((word) => word.length < 5)
  return words.length === 0 || isExpression(text, words)
}

const wordsIn = (text: string) => (text.match(/[a-z]{2,}/gi) ?? []).filter((word) => !FUNCTIONS.has(word.toLowerCase()))

/** Short names with signs between them, «p + rc»; two names side by side are prose. */
function isExpression(text: string, words = wordsIn(text)): boolean {
  const operands = text.split(/[-+*/·×(),;|=<>≈≠≤≥]/)
  if (operands.length < 2 || words.some((word) => word.length > 3)) return false
  return operands.every((operand) => !/\S\s+\S/.test(operand.trim()))
}

/** Braces may hold Russian words, «\text{Вт}», «v_{ср}». */
const withoutGroups = (content: string) => content.replace(/\{[^{}]*\}/g, ' ')

/** `\(…\)`: almost always a formula, except escaped brackets around Russian words or around nothing but signs. */
export function isParenFormula(content: string): boolean {
  return WORD_SIGN.test(content) && (!CYRILLIC.test(content) || isFormula(content))
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

/** `$…$`: prices have a space inside one of the dollars, or a word character right outside of them. */
export function isDollarFormula({ before, content, after }: Dollars): boolean {
  if (/\p{N}/u.test(after) || (content.includes('\n') && !STRONG_TEX.test(content))) return false
  if (WORD_SIGN.test(before) || WORD_SIGN.test(after)) return isTightTex(content)
  const [isSpacedBefore, isSpacedAfter] = [/^\s/.test(content), /\s$/.test(content)]
  if (!isSpacedBefore && !isSpacedAfter) return isFormula(content)
  if (TEX_SIGN.test(content)) return !CYRILLIC.test(withoutGroups(content))
  return isSpacedBefore && isSpacedAfter && isSpacedFormula(content.trim())
}

/** A command or a power, as in «м$^2$» and «2$\pi$»; a path such as `C$\Users` is none. */
const COMMAND = /\\[a-z]|\\(?:Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega)\b|\^/

/** TeX that may touch a word: no spaces at its ends and no prose inside. */
export function isTightTex(content: string): boolean {
  if (!COMMAND.test(content) || /^\s|\s$|\n/.test(content)) return false
  const bare = withoutGroups(content).replace(/\\[a-z]+/gi, ' ')
  return !CYRILLIC.test(bare) && !/[a-z]{4}|[a-z]{2}\s+[a-z]/i.test(bare)
}

/** «$ a $» or «$ a + b $», but no «$ 5 - $» of two prices and no «$ ls -l $» of a shell. */
function isSpacedFormula(text: string): boolean {
  if (/^[a-z]\d*'*$/i.test(text)) return true
  if (!/[a-z=]/i.test(text) || /\s-\w/.test(text) || !/^[-\w(|[]/.test(text) || !/[\w)\]!|']$/.test(text)) return false
  return isExpression(text)
}
