import { tableText } from './markdown-table.ts'
import { isIndented, numbered } from './numbering.ts'
import { writeRaised } from './raised.ts'
import { MAX_SYMBOLS } from './text.ts'

/** What stands before a paragraph: the level of a heading, its number (null is a sign of a list) and its depth. */
export interface ParagraphShape {
  heading?: number | null
  item?: ListItem | null
  notes?: readonly Note[]
}

export interface ListItem {
  label: string | null
  depth: number
  /** The same for all items of a list, whose first item has no indent. */
  list?: unknown
}

export interface Note {
  mark: string
  text: string
}

interface Line {
  text: string
  /** Items of one list stand on lines that follow each other: of one depth, or without numbers. */
  list: number | 'signs' | null
  isIndented?: boolean
  /** Those of a table that only lays out a page; they are not copied from table to table. */
  lines?: Line[]
}

interface Table {
  rows: Line[][][]
  /** A table that holds another one, headings or long texts only lays out a page. */
  isLayout: boolean
}

const LONGEST_CELL = 1000

/** Puts paragraphs, tables and notes of a document together as text, in their order. */
export function createBlocks() {
  const lines: Line[] = []
  const tables: Table[] = []
  const waiting: Line[] = []
  const firstDepths = new Map<unknown, number>()
  let symbols = 0

  const place = () => tables.at(-1)?.rows.at(-1)?.at(-1) ?? lines
  const add = (line: Line) => {
    if (line.text === '' || symbols > MAX_SYMBOLS) return
    symbols += line.text.length
    place().push(line)
  }
  const addWaiting = () => {
    if (tables.length > 0) return
    for (const note of waiting.splice(0)) add(note)
  }

  /** How deep an item with a number is below the first of its list. */
  const depthOf = ({ label, depth, list }: ListItem) => {
    if (label === null || list === undefined) return depth
    const first = firstDepths.get(list) ?? depth
    firstDepths.set(list, first)
    return Math.max(0, depth - first)
  }

  const closeTable = () => {
    const table = tables.pop()
    if (!table) return
    const [cells, outer] = [table.rows.flat(), place()]
    const isLong = (cell: Line[]) => cell.reduce((sum, { text }) => sum + text.length + 1, 0) > LONGEST_CELL
    if (table.isLayout || cells.some(isLong)) outer.push({ text: '', list: null, lines: cells.flat() })
    else {
      const rows = table.rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(' ')))
      const text = tableText(rows)
      if (text !== '') outer.push({ text, list: null })
    }
    addWaiting()
  }

  return {
    paragraph: (text: string, { heading = null, item = null, notes = [] }: ParagraphShape = {}) => {
      const trimmed = writeRaised(text)
        .split('\n')
        .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
        .join('\n')
        .trim()
      if (trimmed === '') return
      const label = item && (heading === null || item.label !== null) ? item : null
      const depth = label ? depthOf(label) : 0
      const indent = tables.length > 0 || heading !== null ? 0 : depth
      const whole = label ? numbered(trimmed, label.label, indent) : trimmed
      const table = tables.at(-1)
      if (table && heading !== null) table.isLayout = true
      const isItem = label !== null && heading === null && label.label !== ''
      add({
        text: heading === null ? whole : `${'#'.repeat(Math.min(heading, 6))} ${whole.replaceAll('\n', ' ')}`,
        list: isItem ? (label.label === null ? 'signs' : label.depth) : null,
        isIndented: isItem && isIndented(label.label, indent),
      })
      // A note stands after the paragraph or the table that it belongs to.
      for (const note of notes) {
        const words = writeRaised(note.text).replace(/\s+/g, ' ').trim()
        if (words !== '') waiting.push({ text: `${note.mark} ${words}`, list: null })
      }
      addWaiting()
    },
    openTable: () => {
      const outer = tables.at(-1)
      if (outer) outer.isLayout = true
      tables.push({ rows: [], isLayout: false })
    },
    openRow: () => tables.at(-1)?.rows.push([]),
    openCell: () => tables.at(-1)?.rows.at(-1)?.push([]),
    closeTable,
    text: () => {
      while (tables.length > 0) closeTable()
      addWaiting()
      let last: Line = { text: '', list: null }
      const whole: Line[] = []
      collect(lines, whole)
      return whole
        .map((line, at) => {
          const isNext = line.list !== null && (line.list === last.list || line.isIndented)
          const isBack = line.list !== null && last.isIndented
          last = line
          return (at === 0 ? '' : isNext || isBack ? '\n' : '\n\n') + line.text
        })
        .join('')
    },
  }
}

function collect(lines: readonly Line[], into: Line[]): void {
  for (const line of lines) {
    if (line.lines) collect(line.lines, into)
    else into.push(line)
  }
}

export type Blocks = ReturnType<typeof createBlocks>
