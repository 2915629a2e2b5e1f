import type { Nodes, Table } from 'mdast'
import { useCopy } from '#web/lib/copy-text.ts'

interface Size {
  rows: number
  columns: number
}

/** The cells of a table are laid out together: a page with more of them does not scroll or type any more. */
const MAX_COLUMNS = 100
const MAX_CELLS = 5000

/** How much of a table is shown. */
export function shownOf(rows: number, columns: number): Size {
  const shown = Math.min(columns, MAX_COLUMNS)
  return { columns: shown, rows: Math.min(rows, Math.floor(MAX_CELLS / Math.max(1, shown))) }
}

interface CutTableProps {
  table: Table
  shown: Size
  all: Size
}

/** Under a table that is shown in part: what is left out, and how to get it. */
export function CutTable({ table, shown, all }: CutTableProps) {
  return (
    <p className="cut-table">
      Таблица показана не вся: {partOf('строк', shown.rows, all.rows)}
      {shown.columns < all.columns && `, ${partOf('столбцов', shown.columns, all.columns)}`}.{' '}
      <CopyTable table={table} />
    </p>
  )
}

const partOf = (things: string, shown: number, all: number) =>
  shown < all ? `${things} ${shown} из ${all}` : `${things} ${all}`

/** For a spreadsheet. */
function CopyTable({ table }: { table: Table }) {
  const { isCopied, copy } = useCopy(() => tableText(table))
  return (
    <button type="button" className="text-accent-ink hover:underline" onClick={copy}>
      <span aria-live="polite">{isCopied ? 'Скопировано' : 'Скопировать всю таблицу'}</span>
    </button>
  )
}

const tableText = ({ children }: Table) =>
  children.map((row) => row.children.map((cell) => textOf(cell).replace(/\s+/g, ' ').trim()).join('\t')).join('\n')

function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : ''
}
