import { ArrowUpDown, MoveDown, MoveUp } from 'lucide-react'
import { classNames } from '#web/lib/class-names.ts'
import type { Column } from './column.ts'
import { directionOf, nextSort } from './sort.ts'

export interface Sorting {
  by: string
  onChange: (sort: string) => void
}

export const headStyle =
  'sticky top-0 z-10 bg-panel px-3 py-2 text-left font-medium whitespace-nowrap text-muted border-b first:pl-4 last:pr-4'

interface HeaderCellProps<Row> {
  column: Column<Row>
  sort: Sorting | undefined
}

export function HeaderCell<Row>({ column, sort }: HeaderCellProps<Row>) {
  const { id, title, isSortable, isFigure } = column
  if (!sort || !isSortable)
    return (
      <th scope="col" className={classNames(headStyle, isFigure && 'text-right')}>
        {title}
      </th>
    )
  const direction = directionOf(sort.by, id)
  const Arrow = direction === null ? ArrowUpDown : direction === 'ascending' ? MoveUp : MoveDown
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={classNames(headStyle, isFigure && 'text-right')}>
      <button
        type="button"
        onClick={() => sort.onChange(nextSort(sort.by, id))}
        className={classNames(
          '-mx-1.5 inline-flex items-center gap-1 rounded-sm px-1.5 py-1 transition-colors hover:bg-hover hover:text-ink',
          direction && 'text-ink',
        )}
      >
        {title}
        <Arrow size={14} aria-hidden="true" className={direction ? 'text-accent-ink' : 'opacity-45'} />
      </button>
    </th>
  )
}
