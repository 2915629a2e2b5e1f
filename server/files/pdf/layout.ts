import { joinWords, type WordRule } from '../hyphens.ts'
import { tableText } from '../markdown-table.ts'
import type { Grid } from './rulings.ts'
import { type Line, linesOf, type Segment } from './segments.ts'

/** One or several lines of a page in reading order. */
export interface Block {
  lines: string[]
  /** The rows of a table, each cell as its lines. */
  table?: string[][][]
  y: number
}

const MIN_ROWS = 3
/** Segments of so many characters on average are columns of prose, shorter ones are cells. */
const PROSE_LENGTH = 28

/** Whether texts stand beside each other, so that the borders of a table are worth looking for. */
export function mayHaveTable(segments: readonly Segment[]): boolean {
  const plain = segments.filter(({ isPlain }) => isPlain).toSorted((a, b) => a.y - b.y)
  return plain.filter((segment, at) => at > 0 && segment.y - (plain[at - 1]?.y ?? 0) < segment.size * 0.3).length >= 2
}

/** The text of a page: what stands between the lines of a table, then aligned columns, then lines as they are drawn. */
export function layOut(segments: readonly Segment[], grids: readonly Grid[]): Block[] {
  const blocks: Block[] = []
  const taken = new Map<Grid, Segment[]>()
  const places = new Map<Grid, number>()
  let plain: Segment[] = []
  const flush = () => {
    blocks.push(...alignedBlocks(linesOf(plain)))
    plain = []
  }
  for (const segment of segments) {
    const grid = segment.isPlain ? grids.find((grid) => isInside(segment, grid)) : undefined
    if (!grid) plain.push(segment)
    else if (taken.has(grid)) taken.get(grid)?.push(segment)
    else {
      flush()
      const inside = [segment]
      taken.set(grid, inside)
      blocks.push({ lines: [], table: [], y: segment.y })
      places.set(grid, blocks.length - 1)
    }
  }
  flush()
  for (const [grid, inside] of taken) {
    const block = blocks[places.get(grid) ?? -1]
    if (block) block.table = gridTable(inside, grid)
  }
  return blocks
}

function isInside({ left, right, y, size }: Segment, { columns, rows }: Grid): boolean {
  const [x, middle] = [(left + right) / 2, y - size / 3]
  const [last, bottom] = [columns.at(-1) ?? 0, rows.at(-1) ?? 0]
  return x > (columns[0] ?? 0) && x < last && middle > (rows[0] ?? 0) && middle < bottom
}

function gridTable(segments: readonly Segment[], { columns, rows }: Grid): string[][][] {
  const cells = rows.slice(1).map(() => columns.slice(1).map((): Segment[] => []))
  for (const segment of segments) {
    const row = rows.findLastIndex((at) => at <= segment.y - segment.size / 3)
    const column = columns.findLastIndex((at) => at <= segment.left + 2)
    cells[Math.min(Math.max(row, 0), cells.length - 1)]?.[Math.min(Math.max(column, 0), columns.length - 2)]?.push(
      segment,
    )
  }
  return cells.flatMap(rowsInside)
}

/** Many tables have lines only around groups of rows: then texts on one height in most columns are a row of their own. */
function rowsInside(cells: readonly Segment[][]): string[][][] {
  const filled = cells.filter((cell) => cell.length > 0).length
  const heights = filled < 3 ? [] : groupHeights(cells.flat())
  const rows = heights.map(() => cells.map((): Segment[] => []))
  for (const [column, cell] of cells.entries())
    for (const segment of cell) rows[heights.findLastIndex((y) => y <= segment.y)]?.[column]?.push(segment)
  const full = rows.filter((row) => row.filter((cell) => cell.length > 0).length * 2 > filled).length
  const isGroup = heights.length >= 4 && full >= heights.length * 0.6
  return (isGroup ? rows : [cells]).map((row) => row.map((cell) => linesOf(cell).map(lineText)))
}

function groupHeights(segments: readonly Segment[]): number[] {
  const heights: number[] = []
  for (const { y, size } of segments.toSorted((a, b) => a.y - b.y))
    if (y - (heights.at(-1) ?? -1000) >= size * 0.4) heights.push(y)
  return heights
}

const lineText = ({ segments }: Line) => segments.map(({ text }) => text.trim()).join(' ')

/** Finds runs of lines whose segments stand below each other, with gaps between that go through all of them. */
function alignedBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  for (let from = 0; from < lines.length; ) {
    const to = endOfRun(lines, from)
    const run = lines.slice(from, to)
    const columns = run.length >= MIN_ROWS ? columnsOf(run) : []
    if (columns.length > 1) {
      blocks.push(...columnBlocks(run, columns))
      from = to
    } else {
      const line = lines[from]
      if (line) blocks.push({ lines: [lineText(line)], y: line.y })
      from += 1
    }
  }
  return blocks
}

/** Lines of two segments or more, each below the one before, while one gap goes through all of them. */
function endOfRun(lines: readonly Line[], from: number): number {
  let to = from
  while (to < lines.length && isRow(lines[to]) && (to === from || isBelow(lines[to - 1], lines[to]))) {
    if (to > from && columnsOf(lines.slice(from, to + 1)).length < 2) break
    to += 1
  }
  return to
}

const isRow = (line: Line | undefined) => line !== undefined && line.segments.length > 1

function isBelow(above: Line | undefined, below: Line | undefined): boolean {
  if (!above || !below) return false
  const size = Math.max(...below.segments.map((segment) => segment.size))
  return below.y > above.y && below.y - above.y < size * 4
}

/** The columns of lines: the parts of the width that text covers, in order. */
function columnsOf(lines: readonly Line[]): { left: number; right: number }[] {
  const segments = lines.flatMap((line) => line.segments).toSorted((a, b) => a.left - b.left)
  const columns: { left: number; right: number }[] = []
  for (const { left, right, size } of segments) {
    const last = columns.at(-1)
    if (last && left < last.right + size / 2) last.right = Math.max(last.right, right)
    else columns.push({ left, right })
  }
  return columns
}

function columnBlocks(run: readonly Line[], columns: { left: number; right: number }[]): Block[] {
  const cells = run.map((line) =>
    columns.map(({ left, right }) =>
      line.segments
        .filter((segment) => segment.left >= left - 1 && segment.right <= right + 1)
        .map(({ text }) => text.trim()),
    ),
  )
  const y = run[0]?.y ?? 0
  const filled = cells.flat().flat()
  const isProse =
    columns.length <= 3 && filled.reduce((sum, text) => sum + text.length, 0) / filled.length > PROSE_LENGTH
  if (!isProse) return [{ lines: [], table: cells.map((row) => row.map((cell) => [cell.join(' ')])), y }]
  return columns.map((_, at) => ({ lines: cells.flatMap((row) => (row[at]?.length ? [row[at].join(' ')] : [])), y }))
}

/** The lines of blocks with tables in Markdown. */
export function blockLines(blocks: readonly Block[], rule: WordRule): string[] {
  return blocks.flatMap(({ lines, table }) =>
    table
      ? ['', ...tableText(table.map((row) => row.map((cell) => joinWords(cell, rule).join(' ')))).split('\n'), '']
      : lines,
  )
}
