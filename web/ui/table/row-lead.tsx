import { GripVertical } from 'lucide-react'
import { classNames } from '#web/lib/class-names.ts'
import { cellStyle } from './table-row.tsx'
import { TickBox } from './tick-box.tsx'
import type { RowOrder } from './use-row-order.ts'
import type { SelectionControl } from './use-selection.ts'

interface RowLeadProps {
  id: string
  name: string
  order: RowOrder | undefined
  selection: SelectionControl | undefined
}

const leadStyle = classNames(cellStyle, 'sm:w-0 sm:pr-0')

/** The cells before the name: drag handle and checkbox. */
export function RowLead({ id, name, order, selection }: RowLeadProps) {
  return (
    <>
      {order && (
        <td className={leadStyle}>
          <OrderHandle id={id} name={name} order={order} />
        </td>
      )}
      {selection && (
        <td className={leadStyle}>
          <TickBox
            label={`Выбрать: ${name}`}
            state={selection.selection.ids.has(id) ? 'all' : 'none'}
            onTick={(withShift) => selection.tick(id, withShift)}
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
      <GripVertical size={18} aria-hidden="true" />
    </button>
  )
}
