import { isBracketLine, isFormula } from './math-or-money.ts'

/** Environments that stand without delimiters around them. */
const BEGIN = /^\\begin\{((?:align(?:ed|at|edat)?|equation|gather(?:ed)?|multline|d?r?cases|[bBpvV]?matrix|array)\*?)\}/

export interface OpenFormula {
  opener: string
  closer: string
  /** The text of the first line after the opener. */
  rest: string
  /** `run` ends with the paragraph at most, `fence` may contain blank lines, `whole` is closed on its first line. */
  kind: 'whole' | 'fence' | 'run'
}

/** Only this line decides, so later text changes nothing above it. */
export function openFormula(line: string): OpenFormula | null {
  const environment = BEGIN.exec(line)
  const opener = environment?.[0] ?? /^(?:\$\$(?!\$)|\\\[)/.exec(line)?.[0]
  if (opener === undefined) return null
  const closer = environment ? `\\end{${environment[1]}}` : opener === '$$' ? '$$' : '\\]'
  const rest = line.slice(opener.length)
  const kind = kindOf(rest, closer, environment !== null)
  return kind && { opener, closer, rest, kind }
}

function kindOf(rest: string, closer: string, isEnvironment: boolean): OpenFormula['kind'] | null {
  const closing = findCloser(rest, closer)
  if (closing) {
    const content = rest.slice(0, closing.at)
    const isWhole = isEnvironment || (closer === '$$' ? isFormula(content) : isBracketLine(content))
    return isWhole && /^[\s.,;:!?)]*$/.test(rest.slice(closing.at + closing.size)) ? 'whole' : null
  }
  if (isEnvironment) return isProse(rest) ? null : 'run'
  if (rest.trim() === '') return closer === '$$' ? 'fence' : 'run'
  return /[\\^_{}=]/.test(rest) ? 'run' : null
}

/** Models mix delimiters up: `$$` is also closed by a `\]` at the end of a line, and `\[` by `$$`. */
const MIXED: Record<string, RegExp> = { $$: /(?<!\\)\\\](?=[\s.,;]*$)/, '\\]': /\$\$(?=[\s.,;]*$)/ }

export function findCloser(line: string, closer: string): { at: number; size: number } | null {
  const at = line.indexOf(closer)
  if (at >= 0) return { at, size: closer.length }
  const mixed = MIXED[closer]?.exec(line)
  return mixed ? { at: mixed.index, size: 2 } : null
}

/** Whether a line cannot belong to a formula: the formula above it was never closed. */
export function isProse(line: string): boolean {
  if (/^\s*(?:#{1,6}\s|```|~~~|\*\*)/.test(line)) return true
  if (/\\(?:text|mbox|mathrm)/.test(line)) return false
  if (/\$[^$\s]|\\\(/.test(line)) return true
  const bare = line.replace(/\{[^{}]*\}|\\[a-z]+/gi, ' ')
  const russian = bare.match(/[а-яё]{3,}/gi)?.length ?? 0
  if (/[\\^_{}=&]/.test(line)) return russian > 3
  return russian > 0 || (bare.match(/[a-z]{3,}/gi)?.length ?? 0) > 3
}
