import { useEffect, useState } from 'react'
import type { AdminPrompt } from '#contract/prompts-admin.ts'
import { useMove } from './admin-queries.ts'
import { PromptRowView } from './prompt-row.tsx'
import { isNeighbour, type Move, step } from './reorder.ts'
import type { RowAction } from './row-menu.tsx'
import { SortHead } from './sort-head.tsx'
import { isOrderable, type PromptTableFilter, type PromptTableSort } from './table-filter.ts'
import { useDrag } from './use-drag.ts'

interface PromptTableProps {
  rows: AdminPrompt[]
  filter: PromptTableFilter
  withOwner: boolean
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onSort: (sort: PromptTableSort) => void
  onAction: (row: AdminPrompt, action: RowAction) => void
}

const columns: { sort: PromptTableSort; label: string; className: string }[] = [
  { sort: 'category', label: 'Категория', className: 'hidden md:table-cell' },
  { sort: 'published', label: 'Состояние', className: 'hidden md:table-cell' },
  { sort: 'uses', label: 'Использован', className: 'hidden text-right lg:table-cell' },
  { sort: 'updatedAt', label: 'Изменён', className: 'hidden lg:table-cell' },
]

export function PromptTable({ rows, filter, withOwner, selected, onSelect, onSort, onAction }: PromptTableProps) {
  const { said, drag, handle, keyMove } = useOrder(rows, filter)
  const isAllSelected = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  const toggle = (ids: string[], isOn: boolean) => {
    const next = new Set(selected)
    for (const id of ids) isOn ? next.add(id) : next.delete(id)
    onSelect(next)
  }
  return (
    <>
      <table className="w-full border-collapse text-sm">
        <thead className="bg-page text-left text-muted frame:sticky frame:top-0 frame:z-10">
          <tr className="border-b">
            <th scope="col" className="py-2 pr-3 pl-1">
              <input
                type="checkbox"
                aria-label="Выбрать все на странице"
                checked={isAllSelected}
                onChange={(event) =>
                  toggle(
                    rows.map(({ id }) => id),
                    event.target.checked,
                  )
                }
                className="block size-5 accent-accent"
              />
            </th>
            {isOrderable(filter) && (
              <th scope="col" className="w-8">
                <span className="sr-only">Порядок</span>
              </th>
            )}
            <SortHead filter={filter} sort="title" label="Название" className="w-full" onSort={onSort} />
            {columns.map((column) => (
              <SortHead key={column.sort} {...column} filter={filter} onSort={onSort} />
            ))}
            {withOwner && (
              <th scope="col" className="hidden px-2 py-2 font-medium xl:table-cell">
                Чей
              </th>
            )}
            <th scope="col" className="w-10">
              <span className="sr-only">Действия</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PromptRowView
              key={row.id}
              row={row}
              withOwner={withOwner}
              isSelected={selected.has(row.id)}
              onSelect={(isOn) => toggle([row.id], isOn)}
              order={isOrderable(filter) ? { drag, handle: handle(row.id), onKey: (d) => keyMove(row, d) } : null}
              onAction={(action) => onAction(row, action)}
            />
          ))}
        </tbody>
      </table>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

/** The order by hand: dragged, or stepped with the arrow keys, which is said aloud. */
function useOrder(rows: AdminPrompt[], filter: PromptTableFilter) {
  const move = useMove(filter)
  const [said, setSaid] = useState('')
  const [stepped, setStepped] = useState<string | null>(null)
  const order = rows.map(({ id }) => id).join()
  const { drag, handle } = useDrag({
    mayFall: (id, anchorId) => isNeighbour(rows, id, anchorId),
    onMove: (to: Move) => move.mutate(to),
  })
  // A row that is put elsewhere loses the focus of its handle; the next key must find it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it acts when the rows stand in another order
  useEffect(() => {
    if (stepped) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(stepped)}"] [data-handle]`)?.focus()
  }, [stepped, order])

  function keyMove(row: AdminPrompt, direction: -1 | 1) {
    const to = step(rows, row.id, direction)
    if (!to) return setSaid(`«${row.title}» уже с краю своей категории`)
    setStepped(row.id)
    setSaid(`«${row.title}» теперь ${to.place === 'before' ? 'выше' : 'ниже'} «${titleOf(rows, to.anchorId)}»`)
    move.mutate(to)
  }

  return { said, drag, handle, keyMove }
}

const titleOf = (rows: AdminPrompt[], id: string) => rows.find((row) => row.id === id)?.title ?? ''
