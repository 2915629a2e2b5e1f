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
  /** An order that is no column. */
  own?: { id: string; title: string }
  /** Where the server makes the spreadsheet; or the rows of one made here. */
  csv: { href: string } | { name: string; rows: Row[] }
  /** Chips. */
  children?: ReactNode
}

/** Above a table: what is looked for, the filters, and what is done with the list as a whole. */
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

/** Every column that has something to say to a spreadsheet, shown or not. */
function asCsv<Row>(columns: Column<Row>[], rows: Row[]): string {
  const told = columns.flatMap(({ title, text }) => (text ? [{ title, text }] : []))
  return csvText(
    told.map(({ title }) => title),
    rows.map((row) => told.map(({ text }) => text(row))),
  )
}
