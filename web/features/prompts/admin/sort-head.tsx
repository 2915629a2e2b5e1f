import { ArrowDown, ArrowUp } from 'lucide-react'
import { classNames } from '#web/lib/class-names.ts'
import type { PromptTableFilter, PromptTableSort } from './table-filter.ts'

interface SortHeadProps {
  filter: PromptTableFilter
  sort: PromptTableSort
  label: string
  className?: string
  onSort: (sort: PromptTableSort) => void
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
