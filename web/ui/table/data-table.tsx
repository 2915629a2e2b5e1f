import { useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { ArrowUpDown, MoveDown, MoveUp } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Column, hiddenBelow } from './columns.ts'
import { type MoveRules, useRowOrder } from './row-order.ts'
import { type SelectionControl, selectionState } from './selection.ts'
import { SelectionCheckbox } from './selection-checkbox.tsx'
import { directionOf, nextSort } from './sort.ts'
import { watchFit } from './sticky.ts'
import { moveBetweenRows, RowLead, type RowSpec, TableRow } from './table-row.tsx'

interface DataTableProps<Row> extends MoveRules {
  label: string
  columns: Column<Row>[]
  /** Undefined while loading. */
  rows: Row[] | undefined
  rowSpec: RowSpec<Row>
  sort?: Sorting
  selection?: SelectionControl
  /** Other rows are loading; these stay until then. */
  isBusy?: boolean
}

/** Where it scrolls sideways its head cannot stay in the window, so it has no distance to keep. */
const roomStyle = classNames(
  'relative @container [--row-hover:color-mix(in_oklab,var(--hover)_50%,var(--page))]',
  'sm:data-too-wide:overflow-x-auto data-too-wide:[--frame-bar:0px] data-too-wide:[--list-tools:0px]',
)

/**
 * Scrolls with the page, and its head stays in the window; under 640 px rows are cards. It scrolls sideways only while
 * its owner has chosen more columns than fit.
 */
export function DataTable<Row>(table: DataTableProps<Row>) {
  const { label, columns, rows, rowSpec, selection, onMove, isBusy } = table
  const body = useRef<HTMLTableSectionElement>(null)
  const list = rows ?? []
  const order = useRowOrder(body, list.map(rowSpec.key), table)
  const byId = new Map(list.map((row) => [rowSpec.key(row), row]))
  return (
    <div ref={watchFit} className={roomStyle}>
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
                rowSpec={rowSpec}
                columns={columns}
                isSelected={selection?.selection.ids.has(id) ?? false}
                isDragged={order.draggedId === id}
                lead={
                  (onMove || selection) && (
                    <RowLead
                      id={id}
                      name={rowSpec.name(row)}
                      order={onMove && order}
                      canMove={rowSpec.canMove?.(row) ?? true}
                      selection={selection}
                    />
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
      <td colSpan={columns} className="border-b p-3 max-sm:block max-sm:border-0 max-sm:p-0">
        <Skeleton className="h-5 max-sm:h-28" />
      </td>
    </tr>
  ))
}

type TableHeadProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowSpec' | 'sort' | 'selection' | 'onMove'>

function TableHead<Row>({ columns, rows = [], rowSpec, sort, selection, onMove }: TableHeadProps<Row>) {
  return (
    <thead className="max-sm:hidden">
      <tr>
        {onMove && (
          <th scope="col" className={classNames(headStyle, 'w-0 pr-0')}>
            <span className="sr-only">Порядок</span>
          </th>
        )}
        {selection && (
          <th scope="col" className={classNames(headStyle, 'w-0 pr-0')}>
            <SelectionCheckbox
              label="Выбрать все строки"
              state={selectionState(selection.selection, rows.map(rowSpec.key))}
              onToggle={() => selection.toggleAll()}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} />
        ))}
        {rowSpec.menu && (
          <th scope="col" className={headStyle}>
            <span className="sr-only">Действия</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

export interface Sorting {
  by: string
  onChange: (sort: string) => void
  /** The sort after a click on a header, if not ascending first and then descending. */
  next?: (id: string) => string
}

const headStyle = classNames(
  'group/head border-b bg-page px-3 py-2 first:pl-0 last:pr-0 text-left text-[13px] font-normal whitespace-nowrap text-muted',
  'not-short:frame:sticky top-[calc(var(--frame-bar,0px)+var(--list-tools,0px))] z-10',
)

interface HeaderCellProps<Row> {
  column: Column<Row>
  sort: Sorting | undefined
}

function HeaderCell<Row>({ column, sort }: HeaderCellProps<Row>) {
  const { id, title, isSortable, isNumeric } = column
  if (!sort || !isSortable)
    return (
      <th scope="col" className={classNames(headStyle, isNumeric && 'text-right', hiddenBelow(column))}>
        {title}
      </th>
    )
  const direction = directionOf(sort.by, id)
  const Arrow = direction === null ? ArrowUpDown : direction === 'ascending' ? MoveUp : MoveDown
  return (
    <th
      scope="col"
      aria-sort={direction ?? 'none'}
      className={classNames(headStyle, isNumeric && 'text-right', hiddenBelow(column))}
    >
      <button
        type="button"
        onClick={() => sort.onChange(sort.next?.(id) ?? nextSort(sort.by, id))}
        className={classNames(
          'relative -mx-1.5 rounded-sm px-1.5 py-1 transition-colors hover:bg-hover hover:text-ink',
          direction && 'font-medium text-ink',
        )}
      >
        {title}
        <Arrow
          size={14}
          // In the padding of the cell: an arrow that is not shown takes no room.
          className={classNames(
            'absolute top-1/2 -translate-y-1/2',
            isNumeric ? '-left-2' : '-right-2',
            direction ? 'text-accent-ink' : 'opacity-0 group-focus-within/head:opacity-60 group-hover/head:opacity-60',
          )}
        />
      </button>
    </th>
  )
}
