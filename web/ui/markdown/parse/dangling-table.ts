import { closeInline } from './dangling-inline.ts'

/**
 * The head of a table looks like one before the line below it has come: that line is written for it. A row that
 * grows is closed inside its last cell.
 */
export function closeTable(source: string, lastLine: number): string {
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
  return `${prefix}|${'-|'.repeat(cells(head))}`
}

function isWholeRule(line: string, head = ''): boolean {
  return cells(line) === cells(head) && /-:?[ \t]*\|?[ \t]*$/.test(line)
}

function cells(row: string): number {
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
