import { ArrowDown, ArrowUp } from 'lucide-react'
import { classNames } from '#web/lib/class-names.ts'
import type { DeskFilter, DeskSort } from './desk-filter.ts'

interface SortHeadProps {
  filter: DeskFilter
  sort: DeskSort
  label: string
  className?: string
  onSort: (sort: DeskSort) => void
}

export function SortHead({ filter, sort, label, className, onSort }: SortHeadProps) {
  const isSorted = filter.sort === sort
  const Arrow = filter.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (filter.isDescending ? 'descending' : 'ascending') : undefined}
      className={classNames('px-2 py-1 font-medium', className)}
    >
      <button
        type="button"
        onClick={() => onSort(sort)}
        className={classNames(
          '-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-sm px-1.5 whitespace-nowrap hover:bg-hover hover:text-ink',
          isSorted && 'text-ink',
        )}
      >
        {label}
        {isSorted && <Arrow size={14} aria-hidden="true" />}
      </button>
    </th>
  )
}
