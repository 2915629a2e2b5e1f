import type { AdminOrder } from '#contract/orders-admin.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { DateCell, personColumn } from './cells.tsx'
import { kindLabels, statusLabel } from './order-labels.ts'

export function OrderBadge({ status }: Pick<AdminOrder, 'status'>) {
  const { label, tone } = statusLabel[status]
  return <Badge tone={tone}>{label}</Badge>
}

/** Without `text`: the server writes the CSV. */
export const orderColumns: Column<AdminOrder>[] = [
  { id: 'title', title: 'Покупка', cell: ({ title }) => title },
  { id: 'status', title: 'Состояние', cell: (order) => <OrderBadge {...order} /> },
  { id: 'createdAt', title: 'Создан', isSortable: true, cell: ({ createdAt }) => <DateCell at={createdAt} /> },
  personColumn,
  { id: 'kind', title: 'Вид', isMinor: true, cell: ({ kind }) => kindLabels[kind] },
  { id: 'amount', title: 'Сумма', isSortable: true, isNumeric: true, cell: (order) => formatMoney(order) },
  {
    id: 'refundedAmount',
    title: 'Возвращено',
    isNumeric: true,
    cell: ({ refundedAmount: amount, currency }) => (amount > 0 ? formatMoney({ amount, currency }) : null),
  },
  {
    id: 'symbols',
    title: 'Символы',
    isSortable: true,
    isNumeric: true,
    isExtra: true,
    cell: ({ symbols }) => formatNumber(symbols),
  },
  {
    id: 'paidAt',
    title: 'Оплачен',
    isSortable: true,
    isExtra: true,
    cell: ({ paidAt }) => paidAt && <DateCell at={paidAt} />,
  },
  {
    id: 'discountPercent',
    title: 'Скидка',
    isNumeric: true,
    isExtra: true,
    cell: ({ discountPercent }) => discountPercent && `${discountPercent}\u00a0%`,
  },
  {
    id: 'gatewayUid',
    title: 'Номер в платёжной системе',
    isExtra: true,
    cell: ({ gatewayUid }) => gatewayUid && <span className="wrap-anywhere">{gatewayUid}</span>,
  },
]
