import { findCloser, isProse, openFormula } from '#contract/markdown/formula-lines.ts'
import { closeInline } from './dangling-inline.ts'

/** Block markers that may precede the text of a line: quotes, bullets, numbers. */
const MARKERS = String.raw`(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*`
export const LEADING = new RegExp(`^${MARKERS}`)
const FENCE = new RegExp(`^${MARKERS}(\`{3,}|~{3,})(.*)$`)

/** A last line of which only the marker is there: a bullet, a number, part of a rule, of an underline or of a formula. */
const MARKER_ONLY = /^(?:[-*+=_]+|#{1,6}|\d{1,2}[.)]?|[`~]{1,2}|\$\$?|\\(?:b(?:e(?:g(?:in?)?)?)?|begin\{[a-z]*\*?)?)$/
/** The same behind a bullet or a number: nothing yet, a task box, or a sign that may begin a quote or compare. */
const ITEM_ONLY = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[ xX]?\]?|>[>= \t]*)?$/
const BEGINS_BLOCK = /^(?:[ \t]|>)*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|\|)/

/** A blank line, a heading, a rule or a heading's underline: the next line begins a new block. */
const ENDS_WITH_ITS_LINE = /^(?:[ \t>]*|[ \t>]*#{1,6}[ \t].*|[ \t>]*(?:=+|-+|(?:[-*_][ \t]*){3,}))$/

/**
 * Completes the Markdown at the end of an unfinished text: open markup is closed, and markup that has no content yet is
 * left out. Nothing before the last paragraph, list item or table row changes.
 */
export function closeDangling(source: string): string {
  const lastLine = source.lastIndexOf('\n') + 1
  const line = source.slice(lastLine)
  const { open, from } = openBlock(source.slice(0, lastLine))
  if (open && !endsBefore(line, open)) return withoutHalfCloser(source, open)
  const begun = open ? null : opened(line)
  if (begun) return begun.isFormula ? source.replace(HALF_CLOSER, '') : source
  const withoutLine = source.slice(0, Math.max(0, lastLine - 1))
  if (isMarkerOnly(line) || mayBecomeFormula(line)) return withoutLine
  if (/^[ \t>]*\|/.test(line)) return closeTable(source, lastLine)
  const start = lastParagraph(source, open ? lastLine : from)
  const text = start + (LEADING.exec(source.slice(start))?.[0].length ?? 0)
  const closed = source.slice(0, text) + closeInline(source.slice(text))
  // Left out text may leave a bare bullet, which would underline the paragraph above it as a heading.
  return closed !== source && isMarkerOnly(closed.slice(lastLine)) ? withoutLine : closed
}

function isMarkerOnly(line: string): boolean {
  const text = line.replace(/^[ \t>]+/, '')
  if (text === '') return line.includes('>')
  return MARKER_ONLY.test(text.trimEnd()) || (text.length < ITEM_LIMIT && ITEM_ONLY.test(text))
}

/** Longer lines are more than a marker. */
const ITEM_LIMIT = 100

/** `$$ f` or `\[ a`: still undecided. */
const mayBecomeFormula = (line: string) => /^(?:\$\$|\\\[)[^$\\^_{}=]{0,12}$/.test(withoutMarkers(line))

/** Whether a block of code or a formula still waits for its closing line. */
export function endsInOpenBlock(source: string): boolean {
  return openBlock(source.slice(0, source.lastIndexOf('\n') + 1)).open !== null
}

/** A block of code or a formula that is not closed. */
export interface OpenBlock {
  closer: string
  isFormula: boolean
  /** It ends with its paragraph. */
  isRun: boolean
}

/** The block that is open after complete lines; `from` is where the last closed one ends. */
function openBlock(source: string): { open: OpenBlock | null; from: number } {
  let open: OpenBlock | null = null
  let from = 0
  let at = 0
  for (const line of source.split('\n').slice(0, -1)) {
    const start = at
    at += line.length + 1
    if (open && endsBefore(line, open)) {
      open = null
      from = start
    }
    if (open === null) open = opened(line)
    else if (closesBlock(line, open)) {
      open = null
      from = at
    }
  }
  return { open, from }
}

export function opened(line: string): OpenBlock | null {
  const [, fence, info = ''] = FENCE.exec(line) ?? []
  if (fence)
    return fence.startsWith('`') && info.includes('`') ? null : { closer: fence, isFormula: false, isRun: false }
  const formula = openFormula(withoutMarkers(line))
  return formula && formula.kind !== 'whole'
    ? { closer: formula.closer, isFormula: true, isRun: formula.kind === 'run' }
    : null
}

const withoutMarkers = (line: string) => line.slice(LEADING.exec(line)?.[0].length)

export function closesBlock(line: string, { closer, isFormula }: OpenBlock): boolean {
  if (isFormula) return findCloser(line, closer) !== null
  const text = line.replace(/^[ \t>]+/, '').trimEnd()
  return text.length >= closer.length && text === (closer[0] ?? '').repeat(text.length)
}

/** Whether a formula ends before a line, because that is blank or prose. */
export function endsBefore(line: string, { closer, isFormula, isRun }: OpenBlock): boolean {
  if (!isFormula || findCloser(line, closer)) return false
  const text = line.replace(/^[ \t>]+/, '')
  return text === '' ? isRun : isProse(text)
}

/** Half of `$$` or `\\]` at the end of a formula. */
const HALF_CLOSER = /(?<![$\\])[$\\]$/

/** Leaves out a last line that is the beginning of a closing delimiter. */
function withoutHalfCloser(source: string, { closer, isFormula }: OpenBlock): string {
  const line = source.slice(source.lastIndexOf('\n') + 1).trimStart()
  const isHalf = line !== '' && line !== closer && closer.startsWith(line) && source.includes('\n')
  if (isHalf) return source.slice(0, source.lastIndexOf('\n') + 1)
  return isFormula ? source.replace(HALF_CLOSER, '') : source
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
