import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { GripVertical } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { type Column, hiddenBelow } from './columns.ts'
import type { RowOrder } from './row-order.ts'
import type { SelectionControl } from './selection.ts'
import { SelectionCheckbox } from './selection-checkbox.tsx'

interface TableRowProps<Row> {
  row: Row
  rowSpec: RowSpec<Row>
  columns: Column<Row>[]
  /** The drag handle and checkbox cells, if the table has them. */
  lead: ReactNode
  isSelected: boolean
  isDragged: boolean
}

/**
 * Under 640 px a row is a card: the name on top, then a line with a title for each cell. Elsewhere the words begin at
 * the edge of the page, and the colour of a row reaches a little further.
 */
const cellStyle = 'sm:border-b sm:px-3 sm:py-2.5 sm:align-middle sm:first:pl-0 sm:last:pr-0'
const rowStyle =
  'group/row bg-page transition-colors hover:bg-(--row-hover) sm:hover:shadow-[-0.75rem_0_var(--row-hover),0.75rem_0_var(--row-hover)] ' +
  'max-sm:grid max-sm:grid-cols-[auto_auto_1fr_auto] max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1.5 max-sm:rounded-md ' +
  'max-sm:border max-sm:bg-surface max-sm:p-3'

export function TableRow<Row>({ row, rowSpec, columns, lead, isSelected, isDragged }: TableRowProps<Row>) {
  const [main, ...others] = columns
  const opens = rowSpec.href !== undefined || rowSpec.onOpen !== undefined
  return (
    <tr
      data-row={rowSpec.key(row)}
      onClick={opens ? openByClick : undefined}
      className={classNames(
        rowStyle,
        opens && 'cursor-pointer',
        isSelected && 'bg-accent-soft',
        isDragged && 'relative z-20 bg-accent-soft shadow-float',
      )}
    >
      {lead}
      {main && (
        <td
          className={classNames(
            cellStyle,
            lead ? 'max-sm:col-start-3' : 'max-sm:col-span-3',
            main.isWide && 'sm:w-full sm:min-w-64',
          )}
        >
          <span className="flex flex-wrap items-center gap-x-2">
            <Opener row={row} rowSpec={rowSpec}>
              {main.cell(row)}
            </Opener>
            {main.note?.(row)}
          </span>
        </td>
      )}
      {others.map((column) => (
        <Cell key={column.id} row={row} column={column} isDim={rowSpec.isDim?.(row) ?? false} />
      ))}
      {rowSpec.menu && (
        <td
          className={classNames(
            cellStyle,
            'text-right max-sm:col-start-4 max-sm:row-start-1 sm:sticky sm:right-0 sm:w-0 sm:bg-inherit sm:pl-0',
          )}
        >
          {rowSpec.menu(row)}
        </td>
      )}
    </tr>
  )
}

interface CellProps<Row> {
  row: Row
  column: Column<Row>
  isDim: boolean
}

/** A card has no line for what is missing. */
function Cell<Row>({ row, column, isDim }: CellProps<Row>) {
  const value = column.cell(row)
  const isMissing = value === null || value === undefined || value === false || value === ''
  return (
    <td
      className={classNames(
        cellStyle,
        isMissing ? 'max-sm:hidden' : 'max-sm:col-span-full max-sm:flex max-sm:justify-between max-sm:gap-4',
        column.isNumeric && 'figures text-right whitespace-nowrap',
        column.isWide && 'sm:min-w-64',
        (isDim || isMissing) && 'text-muted',
        hiddenBelow(column),
      )}
    >
      <span className="shrink-0 text-muted sm:hidden">{column.title}</span>
      <span className="min-w-0 max-sm:text-right">{isMissing ? '—' : value}</span>
    </td>
  )
}

const openerStyle = 'scroll-mt-32 rounded-xs text-left font-medium wrap-anywhere group-hover/row:text-accent-ink'

function Opener<Row>({
  row,
  rowSpec,
  children,
}: Pick<TableRowProps<Row>, 'row' | 'rowSpec'> & { children: ReactNode }) {
  const { href, onOpen } = rowSpec
  const style = classNames(openerStyle, rowSpec.isDim?.(row) ? 'text-muted' : 'text-ink')
  if (href)
    return (
      <Link href={href(row)} data-row-opener="" className={style}>
        {children}
      </Link>
    )
  if (onOpen)
    return (
      <button type="button" data-row-opener="" onClick={() => onOpen(row)} className={style}>
        {children}
      </button>
    )
  return <span className="font-medium wrap-anywhere">{children}</span>
}

interface RowLeadProps {
  id: string
  name: string
  order: RowOrder | undefined
  canMove: boolean
  selection: SelectionControl | undefined
}

const leadStyle = classNames(cellStyle, 'sm:w-0 sm:pr-0')

export function RowLead({ id, name, order, canMove, selection }: RowLeadProps) {
  return (
    <>
      {order && <td className={leadStyle}>{canMove && <OrderHandle id={id} name={name} order={order} />}</td>}
      {selection && (
        <td className={leadStyle}>
          <SelectionCheckbox
            label={`Выбрать: ${name}`}
            state={selection.selection.ids.has(id) ? 'all' : 'none'}
            onToggle={(withShift) => selection.toggle(id, withShift)}
          />
        </td>
      )}
    </>
  )
}

interface OrderHandleProps {
  id: string
  name: string
  order: RowOrder
}

function OrderHandle({ id, name, order }: OrderHandleProps) {
  return (
    <button
      type="button"
      aria-label={`Переместить: ${name}`}
      title="Перетащите или двигайте стрелками вверх и вниз"
      onPointerDown={(event) => order.begin(id, event)}
      onKeyDown={(event) => order.step(id, name, event)}
      className="-ml-2 grid size-9 cursor-grab touch-none place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink active:cursor-grabbing"
    >
      <GripVertical size={18} />
    </button>
  )
}

const OPENER = '[data-row-opener]'

/** Arrow keys move the focus between row names, Home and End to the first and last. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches(OPENER)) return
  const openers = [...event.currentTarget.querySelectorAll<HTMLElement>(OPENER)]
  const next = openers[nextRowIndex(event.key, openers.indexOf(event.target), openers.length)]
  if (!next || next === event.target) return
  event.preventDefault()
  next.focus()
}

function nextRowIndex(key: string, now: number, count: number): number {
  if (key === 'ArrowDown') return now + 1
  if (key === 'ArrowUp') return now - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : now
}

/** A click anywhere on a row opens it, except on a control inside or at the end of a text selection. */
function openByClick({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }): void {
  // The row menu is rendered in a portal, but React bubbles its clicks to the row.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return
  if (target.closest('a, button, input, select, label, summary')) return
  if (getSelection()?.toString()) return
  currentTarget.querySelector<HTMLElement>(OPENER)?.click()
}

export interface RowSpec<Row> {
  key: (row: Row) => string
  /** The name of the row for screen readers. */
  name: (row: Row) => string
  /** A row opens by a link or by a callback. */
  href?: (row: Row) => string
  onOpen?: (row: Row) => void
  menu?: (row: Row) => ReactNode
  /** Whether the row has a drag handle; all rows by default. */
  canMove?: (row: Row) => boolean
  /** Shown in grey, as for archived rows. */
  isDim?: (row: Row) => boolean
}
