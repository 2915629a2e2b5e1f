import { closeInline } from './dangling-inline.ts'
import { closeTable } from './dangling-table.ts'

/** What may stand before the text of a line: quotes, bullets, numbers. */
const MARKERS = String.raw`(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*`
const LEADING = new RegExp(`^${MARKERS}`)
const FENCE = new RegExp(`^${MARKERS}(\`{3,}|~{3,})(.*)$`)
const FORMULA = new RegExp(`^${MARKERS}(\\$\\$|\\\\\\[)(.*)$`)

/** A last line that is not yet anything: a bullet, a number, a rule or an underline in the making, a box to tick. */
const UNBORN =
  /^(?:[ \t]|>)*(?:[-*+=_]+|#{1,6}|\d{1,2}[.)]?|[`~]{1,2}|\$|\\|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]?\]?)?)[ \t]*$/
const BEGINS_BLOCK = /^(?:[ \t]|>)*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|\|)/

/** A blank line, a heading, a rule or the line under a heading: what follows is something new. */
const ENDS_WITH_ITS_LINE = /^(?:[ \t>]*|[ \t>]*#{1,6}[ \t].*|[ \t>]*(?:=+|-+|(?:[-*_][ \t]*){3,}))$/

/**
 * The text of the last, growing block as it is best shown: what has been opened is closed, what is only half said
 * is left out. Nothing before the last paragraph, item or row changes.
 */
export function closeDangling(source: string): string {
  const { closer, from } = openBlock(source)
  if (closer) return withoutHalfCloser(source, closer)
  if (from >= source.length) return source
  const lastLine = source.lastIndexOf('\n') + 1
  if (UNBORN.test(source.slice(lastLine))) return source.slice(0, Math.max(0, lastLine - 1))
  if (/^[ \t>]*\|/.test(source.slice(lastLine))) return closeTable(source, lastLine)
  const start = lastParagraph(source, from)
  const paragraph = source.slice(start)
  const text = start + (LEADING.exec(paragraph)?.[0].length ?? 0)
  return source.slice(0, text) + closeInline(source.slice(text))
}

/** The delimiter that ends the code or the formula that the text ends in, and where the text after the last such is. */
function openBlock(source: string): { closer: string | null; from: number } {
  let closer: string | null = null
  let from = 0
  let at = 0
  for (const line of source.split('\n')) {
    at += line.length + 1
    if (closer === null) closer = opened(line)
    else if (isClosed(line, closer)) {
      closer = null
      from = at
    }
  }
  return { closer, from }
}

function opened(line: string): string | null {
  const [, fence, info = ''] = FENCE.exec(line) ?? []
  if (fence) return fence.startsWith('`') && info.includes('`') ? null : fence
  const [, formula, rest = ''] = FORMULA.exec(line) ?? []
  const closer = formula === '$$' ? '$$' : '\\]'
  return formula && (rest.trim() === '' || /[\\^_{}=]/.test(rest)) && !rest.includes(closer) ? closer : null
}

function isClosed(line: string, closer: string): boolean {
  if (closer === '$$' || closer === '\\]') return line.includes(closer) || (closer === '\\]' && line.trim() === '')
  const text = line.replace(/^[ \t>]+/, '').trimEnd()
  return text.length >= closer.length && text === (closer[0] ?? '').repeat(text.length)
}

function withoutHalfCloser(source: string, closer: string): string {
  const line = source.slice(source.lastIndexOf('\n') + 1).trimStart()
  const isHalf = line !== '' && line !== closer && closer.startsWith(line) && source.includes('\n')
  return isHalf ? source.slice(0, source.lastIndexOf('\n') + 1) : source
}

function lastParagraph(source: string, from: number): number {
  let start = source.lastIndexOf('\n') + 1
  while (start > from && !BEGINS_BLOCK.test(source.slice(start))) {
    const before = source.lastIndexOf('\n', start - 2) + 1
    if (ENDS_WITH_ITS_LINE.test(source.slice(before, start).trimEnd())) break
    start = before
  }
  return start
}
