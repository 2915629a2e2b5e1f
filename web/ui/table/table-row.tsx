import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from '#web/lib/class-names.ts'
import type { Column } from './column.ts'
import { openByClick } from './row-keys.ts'
import type { RowKind } from './row-kind.ts'

interface TableRowProps<Row> {
  row: Row
  kind: RowKind<Row>
  columns: Column<Row>[]
  /** The drag handle and checkbox cells, if the table has them. */
  lead: ReactNode
  isTicked: boolean
  isDragged: boolean
}

/** Under 640 px a row is a card: the name on top, then a line with a title for each cell. */
export const cellStyle = 'sm:border-b sm:px-3 sm:py-2 sm:align-middle sm:first:pl-4 sm:last:pr-4'
const rowStyle =
  'group/row transition-colors hover:bg-hover/60 last:*:border-b-0 ' +
  'max-sm:grid max-sm:grid-cols-[auto_auto_1fr_auto] max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1.5 max-sm:rounded-md ' +
  'max-sm:border max-sm:bg-surface max-sm:p-3'

export function TableRow<Row>({ row, kind, columns, lead, isTicked, isDragged }: TableRowProps<Row>) {
  const [main, ...others] = columns
  const opens = kind.href !== undefined || kind.onOpen !== undefined
  return (
    <tr
      data-row={kind.key(row)}
      onClick={opens ? openByClick : undefined}
      className={classNames(
        rowStyle,
        opens && 'cursor-pointer',
        isTicked && 'bg-accent-soft/60 max-sm:bg-accent-soft',
        isDragged && 'relative z-20 bg-accent-soft shadow-float',
      )}
    >
      {lead}
      {main && (
        <td className={classNames(cellStyle, lead ? 'max-sm:col-start-3' : 'max-sm:col-span-3')}>
          <span className="flex flex-wrap items-center gap-x-2">
            <Opener row={row} kind={kind}>
              {main.cell(row)}
            </Opener>
            {main.note?.(row)}
          </span>
        </td>
      )}
      {others.map((column) => (
        <td
          key={column.id}
          className={classNames(
            cellStyle,
            'max-sm:col-span-full max-sm:flex max-sm:justify-between max-sm:gap-4',
            column.isFigure && 'figures text-right whitespace-nowrap',
            column.isWide && 'sm:min-w-64',
            kind.isDim?.(row) && 'text-muted',
          )}
        >
          <span className="shrink-0 text-muted sm:hidden">{column.title}</span>
          <span className="min-w-0 max-sm:text-right">{column.cell(row) ?? '—'}</span>
        </td>
      ))}
      {kind.menu && (
        <td className={classNames(cellStyle, 'text-right max-sm:col-start-4 max-sm:row-start-1 sm:w-0')}>
          {kind.menu(row)}
        </td>
      )}
    </tr>
  )
}

const openerStyle = 'rounded-xs text-left font-medium wrap-anywhere group-hover/row:text-accent-ink'

function Opener<Row>({ row, kind, children }: Pick<TableRowProps<Row>, 'row' | 'kind'> & { children: ReactNode }) {
  const { href, onOpen } = kind
  const style = classNames(openerStyle, kind.isDim?.(row) ? 'text-muted' : 'text-ink')
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
