import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { csvText, saveCsv } from '#web/lib/csv.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Filters } from '#web/ui/filters.tsx'
import { ArrowDownWideNarrow, ArrowUpNarrowWide, Check, Columns3, Download } from '#web/ui/icons.ts'
import { Menu } from '#web/ui/menu.tsx'
import { type Column, type ColumnChoice, isChosen, type useColumns } from './columns.ts'
import type { Sorting } from './data-table.tsx'
import { chipStyle } from './filter-chip.tsx'
import { SearchBox } from './search-box.tsx'
import { keepTools } from './sticky.ts'

interface ListToolsProps<Row> {
  search: { label: string; value: string; onChange: (query: string) => void }
  columns: Column<Row>[]
  chosen: ReturnType<typeof useColumns<Row>>
  sort: Sorting
  /** A sort order without a column. */
  extraSort?: { id: string; title: string }
  /** The URL of a CSV made by the server, or the rows of one made here. */
  csv: { href: string } | { name: string; rows: Row[] }
  /** Filter chips. */
  children?: ReactNode
}

/** Stays in the window above the head of its table, which a low window has no room for. */
export const toolsStyle =
  'flex flex-wrap items-center gap-2 py-2 -my-2 top-(--frame-bar,0px) z-20 bg-page not-short:frame:sticky'

export function ListTools<Row>({ search, columns, chosen, sort, extraSort, csv, children }: ListToolsProps<Row>) {
  return (
    <div ref={keepTools} className={toolsStyle}>
      <SearchBox {...search} />
      <Filters>
        {children}
        <SortChoice columns={columns} sort={sort} {...(extraSort && { extraSort })} />
      </Filters>
      <span className="flex items-center sm:ml-auto">
        <ColumnChoiceMenu columns={columns} choice={chosen.choice} onChoose={chosen.choose} />
        {'href' in csv ? (
          <a href={csv.href} download data-fresh="" className={buttonStyle('ghost', 'sm')}>
            <Download size={16} />
            CSV
          </a>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            icon={<Download size={16} />}
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

interface ColumnChoiceProps<Row> {
  columns: Column<Row>[]
  choice: ColumnChoice
  onChoose: (id: string, isShown: boolean) => void
}

/** Also on phones: the cards show the chosen columns too. */
function ColumnChoiceMenu<Row>({ columns, choice, onChoose }: ColumnChoiceProps<Row>) {
  const [, ...optional] = columns
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={buttonStyle('ghost', 'sm')}>
          <Columns3 size={16} />
          Столбцы
        </button>
      }
    >
      {optional.map((column) => (
        <DropdownMenu.CheckboxItem
          key={column.id}
          checked={isChosen(column, choice)}
          onCheckedChange={(isShown) => onChoose(column.id, isShown === true)}
          onSelect={(event) => event.preventDefault()}
          className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-[15px] outline-none select-none data-[highlighted]:bg-hover"
        >
          <span className="grid size-5 place-items-center rounded-xs border border-line-strong">
            <DropdownMenu.ItemIndicator>
              <Check size={16} />
            </DropdownMenu.ItemIndicator>
          </span>
          {column.title}
        </DropdownMenu.CheckboxItem>
      ))}
    </Menu>
  )
}

interface SortChoiceProps<Row> {
  columns: Column<Row>[]
  sort: Sorting
  /** A sort order without a column, such as the manual one. */
  extraSort?: { id: string; title: string }
}

/** Sorting on phones, where the table has no head. */
export function SortChoice<Row>({ columns, sort, extraSort }: SortChoiceProps<Row>) {
  const id = sort.by.replace(/^-/, '')
  const isTurned = sort.by.startsWith('-')
  const options = [...(extraSort ? [extraSort] : []), ...columns.filter(({ isSortable }) => isSortable)]
  return (
    <span className="flex items-center sm:hidden">
      <select
        aria-label="Сортировка"
        value={id}
        onChange={(event) => sort.onChange(event.target.value)}
        className={chipStyle(false)}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.title}
          </option>
        ))}
      </select>
      {id !== extraSort?.id && (
        <IconButton
          size="sm"
          label={isTurned ? 'Сначала меньшие' : 'Сначала большие'}
          icon={isTurned ? <ArrowDownWideNarrow size={18} /> : <ArrowUpNarrowWide size={18} />}
          onClick={() => sort.onChange(isTurned ? id : `-${id}`)}
        />
      )}
    </span>
  )
}
