/** Superscripts and subscripts, which plain text has signs for: «10⁻⁶», «H₂O»; else «x^(a+b)», «R_(вн)». */
export type Raised = 'super' | 'sub'

/** While a line grows, characters that Unicode never uses stand around raised text: papers cut it into small runs. */
const marks = { super: ['\ufdd0', '\ufdd1'], sub: ['\ufdd2', '\ufdd3'] } as const

export const markRaised = (text: string, how: Raised | null) =>
  how === null || text === '' ? text : marks[how][0] + text + marks[how][1]

const from = '0123456789+-\u2212\u2013=()'
const signs = {
  super: signsOf(`${from}niоo`, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ°°'),
  sub: signsOf(from, '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎'),
}

function signsOf(plain: string, raised: string): Map<string, string> {
  return new Map([...plain].map((sign, at) => [sign, [...raised][at] ?? sign]))
}

const LONGEST = 40

/** Words that are only set higher, such as «1st» or a star of a note, stay as they are. */
function written(text: string, how: Raised): string {
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text.slice(0, LONGEST + 1)) ?? []
  if (core === '' || text.length > LONGEST) return text
  const own = [...core].map((sign) => signs[how].get(sign))
  if (own.every((sign) => sign !== undefined)) return before + own.join('') + after
  const isWord = /\p{L}{3}/u.test(core) || !/[\p{L}\p{N}]/u.test(core) || (how === 'super' && /^\p{L}{2}$/u.test(core))
  if (isWord) return text
  return `${before}${how === 'super' ? '^' : '_'}${[...core].length === 1 ? core : `(${core})`}${after}`
}

/** Text with the signs of what was marked in it. */
export function writeRaised(text: string): string {
  if (!/[\ufdd0-\ufdd3]/.test(text)) return text
  return text
    .replace(/\ufdd1\ufdd0|\ufdd3\ufdd2/g, '')
    .replace(/\ufdd0([^\ufdd0-\ufdd3]*)\ufdd1/g, (_, inner: string) => written(inner, 'super'))
    .replace(/\ufdd2([^\ufdd0-\ufdd3]*)\ufdd3/g, (_, inner: string) => written(inner, 'sub'))
    .replace(/[\ufdd0-\ufdd3]/g, '')
}
