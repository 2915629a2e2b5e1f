import { closeInline } from './dangling-inline.ts'

/** Block markers that may precede the text of a line: quotes, bullets, numbers. */
const MARKERS = String.raw`(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*`
const LEADING = new RegExp(`^${MARKERS}`)
const FENCE = new RegExp(`^${MARKERS}(\`{3,}|~{3,})(.*)$`)
const FORMULA = new RegExp(`^${MARKERS}(\\$\\$|\\\\\\[)(.*)$`)

/** A last line of which only the marker is there: a bullet, a number, part of a rule or of an underline, a task box. */
const MARKER_ONLY =
  /^(?:[ \t]|>)*(?:[-*+=_]+|#{1,6}|\d{1,2}[.)]?|[`~]{1,2}|\$|\\|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]?\]?)?)[ \t]*$/
const BEGINS_BLOCK = /^(?:[ \t]|>)*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|\|)/

/** A blank line, a heading, a rule or a heading's underline: the next line begins a new block. */
const ENDS_WITH_ITS_LINE = /^(?:[ \t>]*|[ \t>]*#{1,6}[ \t].*|[ \t>]*(?:=+|-+|(?:[-*_][ \t]*){3,}))$/

/**
 * Completes the Markdown at the end of an unfinished text: open markup is closed, and markup that has no content yet is
 * left out. Nothing before the last paragraph, list item or table row changes.
 */
export function closeDangling(source: string): string {
  const { closer, from } = openBlock(source)
  if (closer) return withoutHalfCloser(source, closer)
  if (from >= source.length) return source
  const lastLine = source.lastIndexOf('\n') + 1
  if (MARKER_ONLY.test(source.slice(lastLine))) return source.slice(0, Math.max(0, lastLine - 1))
  if (/^[ \t>]*\|/.test(source.slice(lastLine))) return closeTable(source, lastLine)
  const start = lastParagraph(source, from)
  const paragraph = source.slice(start)
  const text = start + (LEADING.exec(paragraph)?.[0].length ?? 0)
  return source.slice(0, text) + closeInline(source.slice(text))
}

/** Whether a block of code or a formula still waits for its closing line. */
export function endsInOpenBlock(source: string): boolean {
  return openBlock(source.slice(0, source.lastIndexOf('\n') + 1)).closer !== null
}

/** What would close the code or formula block that is open at the end; `from` is the end of the last closed one. */
function openBlock(source: string): { closer: string | null; from: number } {
  let closer: string | null = null
  let from = 0
  let at = 0
  for (const line of source.split('\n')) {
    at += line.length + 1
    if (closer === null) closer = closerOfOpened(line)
    else if (isClosed(line, closer)) {
      closer = null
      from = at
    }
  }
  return { closer, from }
}

function closerOfOpened(line: string): string | null {
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

/** Leaves out a last line that is the beginning of a closing delimiter. */
function withoutHalfCloser(source: string, closer: string): string {
  const line = source.slice(source.lastIndexOf('\n') + 1).trimStart()
  const isHalf = line !== '' && line !== closer && closer.startsWith(line) && source.includes('\n')
  return isHalf ? source.slice(0, source.lastIndexOf('\n') + 1) : source
}

/** Where the last paragraph, list item or quote begins. */
function lastParagraph(source: string, from: number): number {
  let start = source.lastIndexOf('\n') + 1
  while (start > from && !BEGINS_BLOCK.test(source.slice(start))) {
    const before = source.lastIndexOf('\n', start - 2) + 1
    if (ENDS_WITH_ITS_LINE.test(source.slice(before, start).trimEnd())) break
    start = before
  }
  return start
}

/**
 * A first row is shown as the head of a table before its delimiter row has come: one is added. In any other row only
 * the last cell is closed.
 */
function closeTable(source: string, lastLine: number): string {
  const line = source.slice(lastLine)
  const above = source.slice(0, lastLine).split('\n').slice(0, -1)
  const rows = above.length - 1 - above.findLastIndex((row) => !isRow(row))
  if (rows === 1 && /^[\s>|:-]*$/.test(line))
    return isWholeRule(line, above.at(-1)) ? source : headOnly(source, lastLine)
  const cell = lastLine + lastCell(line)
  const closed = source.slice(0, cell) + closeInline(source.slice(cell))
  return rows === 0 && line.trim() !== '' ? `${closed}\n${ruleFor(closed.slice(lastLine))}` : closed
}

const isRow = (line: string) => /^[ \t>]*\|/.test(line)

function headOnly(source: string, lastLine: number): string {
  const head = source.slice(0, lastLine - 1)
  return `${head}\n${ruleFor(head.slice(head.lastIndexOf('\n') + 1))}`
}

function ruleFor(head: string): string {
  const prefix = /^[ \t>]*/.exec(head)?.[0] ?? ''
  return `${prefix}|${'-|'.repeat(countCells(head))}`
}

/** Whether the delimiter row has as many cells as the head, so that the parser takes both for a table. */
function isWholeRule(line: string, head = ''): boolean {
  return countCells(line) === countCells(head) && /-:?[ \t]*\|?[ \t]*$/.test(line)
}

function countCells(row: string): number {
  const inner = row
    .trim()
    .replace(/^[>\s]*\|/, '')
    .replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).length
}

function lastCell(line: string): number {
  for (let i = line.length - 1; i >= 0; i -= 1) if (line[i] === '|' && line[i - 1] !== '\\') return i + 1
  return 0
}
