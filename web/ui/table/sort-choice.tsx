import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'
import type { Column } from './column.ts'
import { chipStyle } from './filter-chip.tsx'
import type { Sorting } from './header-cell.tsx'

interface SortChoiceProps<Row> {
  columns: Column<Row>[]
  sort: Sorting
  /** A sort order without a column, such as the manual one. */
  own?: { id: string; title: string }
}

/** Sorting on phones, where the table has no head. */
export function SortChoice<Row>({ columns, sort, own }: SortChoiceProps<Row>) {
  const id = sort.by.replace(/^-/, '')
  const isTurned = sort.by.startsWith('-')
  const options = [...(own ? [own] : []), ...columns.filter(({ isSortable }) => isSortable)]
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
      {id !== own?.id && (
        <IconButton
          size="sm"
          label={isTurned ? 'Сначала меньшие' : 'Сначала большие'}
          icon={
            isTurned ? (
              <ArrowDownWideNarrow size={18} aria-hidden="true" />
            ) : (
              <ArrowUpNarrowWide size={18} aria-hidden="true" />
            )
          }
          onClick={() => sort.onChange(isTurned ? id : `-${id}`)}
        />
      )}
    </span>
  )
}
