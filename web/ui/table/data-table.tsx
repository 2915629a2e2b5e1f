import { useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Column } from './column.ts'
import type { Sorting } from './header-cell.tsx'
import { moveBetweenRows } from './row-keys.ts'
import type { RowKind } from './row-kind.ts'
import { RowLead } from './row-lead.tsx'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useRowOrder } from './use-row-order.ts'
import type { SelectionControl } from './use-selection.ts'

export interface DataTableProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined while loading. */
  rows: Row[] | undefined
  kind: RowKind<Row>
  sort?: Sorting
  selection?: SelectionControl
  /** Allows moving rows; called with all visible ids in their new order. */
  onMove?: ((ids: string[]) => void) | undefined
  /** Other rows are loading; these stay until then. */
  isBusy?: boolean
}

/** Scrolls itself, so that the head stays visible; under 640 px rows are cards in the page. */
export function DataTable<Row>(table: DataTableProps<Row>) {
  const { label, columns, rows, kind, selection, onMove, isBusy } = table
  const body = useRef<HTMLTableSectionElement>(null)
  const list = rows ?? []
  const order = useRowOrder(body, list.map(kind.key), onMove)
  const byId = new Map(list.map((row) => [kind.key(row), row]))
  return (
    <div className="relative sm:max-h-[max(20rem,calc(100dvh-16rem))] sm:overflow-auto sm:rounded-md sm:border sm:bg-surface">
      <table
        aria-label={label}
        aria-busy={isBusy || rows === undefined || undefined}
        className="w-full border-separate border-spacing-0 text-sm max-sm:block"
      >
        <TableHead {...table} />
        <tbody
          ref={body}
          onKeyDown={moveBetweenRows}
          className={classNames('max-sm:flex max-sm:flex-col max-sm:gap-3', isBusy && 'opacity-60')}
        >
          {rows === undefined && <SkeletonRows columns={columns.length + 3} />}
          {order.ids.map((id) => {
            const row = byId.get(id)
            if (row === undefined) return null
            return (
              <TableRow
                key={id}
                row={row}
                kind={kind}
                columns={columns}
                isTicked={selection?.selection.ids.has(id) ?? false}
                isDragged={order.draggedId === id}
                lead={
                  (onMove || selection) && (
                    <RowLead id={id} name={kind.name(row)} order={onMove && order} selection={selection} />
                  )
                }
              />
            )
          })}
        </tbody>
      </table>
      <p role="status" className="sr-only">
        {order.announcement}
      </p>
    </div>
  )
}

const placeholders = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function SkeletonRows({ columns }: { columns: number }) {
  return placeholders.map((name) => (
    <tr key={name} className="max-sm:block">
      <td colSpan={columns} className="border-b px-4 py-3 max-sm:block max-sm:border-0 max-sm:p-0">
        <Skeleton className="h-5 max-sm:h-28" />
      </td>
    </tr>
  ))
}
