import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { csvText, saveCsv } from '#web/lib/csv.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import type { Column } from './column.ts'
import { ColumnChoiceMenu } from './column-choice.tsx'
import type { Sorting } from './header-cell.tsx'
import { SearchBox } from './search-box.tsx'
import { SortChoice } from './sort-choice.tsx'
import type { useColumns } from './use-columns.ts'

interface ListToolsProps<Row> {
  search: { label: string; value: string; onChange: (query: string) => void }
  columns: Column<Row>[]
  chosen: ReturnType<typeof useColumns<Row>>
  sort: Sorting
  /** A sort order without a column. */
  own?: { id: string; title: string }
  /** The URL of a CSV made by the server, or the rows of one made here. */
  csv: { href: string } | { name: string; rows: Row[] }
  /** Filter chips. */
  children?: ReactNode
}

/** The bar above a table: search, filters, column choice and CSV. */
export function ListTools<Row>({ search, columns, chosen, sort, own, csv, children }: ListToolsProps<Row>) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox {...search} />
      {children}
      <SortChoice columns={columns} sort={sort} {...(own && { own })} />
      <span className="flex items-center sm:ml-auto">
        <ColumnChoiceMenu columns={columns} choice={chosen.choice} onChoose={chosen.choose} />
        {'href' in csv ? (
          <a href={csv.href} download data-fresh="" className={buttonStyle('ghost', 'sm')}>
            <Download size={16} aria-hidden="true" />
            CSV
          </a>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            icon={<Download size={16} aria-hidden="true" />}
            onClick={() => saveCsv(`${csv.name}.csv`, asCsv(columns, csv.rows))}
          >
            CSV
          </Button>
        )}
      </span>
    </div>
  )
}

/** All columns with a `text`, visible or not. */
function asCsv<Row>(columns: Column<Row>[], rows: Row[]): string {
  const exported = columns.flatMap(({ title, text }) => (text ? [{ title, text }] : []))
  return csvText(
    exported.map(({ title }) => title),
    rows.map((row) => exported.map(({ text }) => text(row))),
  )
}
