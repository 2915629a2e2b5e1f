import { useQuery } from '@tanstack/react-query'
import type { Order } from '#contract/payments.ts'
import { formatDate, formatMoney, formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ExternalLink } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { ReceiptLines } from '#web/ui/receipt-lines.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ordersQuery } from './payment-queries.ts'

/** Orders with a payment, and those that can still be paid. */
const states: Partial<Record<Order['status'], string | null>> = {
  pending: 'ждёт оплаты',
  paid: null,
  refunded: 'деньги возвращены',
  charged_back: 'платёж отозван',
}

export function OrderList() {
  const orders = useQuery(ordersQuery)
  if (orders.isError) return <QueryError query={orders} />
  if (!orders.data) return <Skeleton className="h-16" />

  const settled = orders.data.filter(({ status, review }) => status in states || review)
  if (settled.length === 0) return <p className="text-muted">Платежей пока не было. Чеки появятся здесь.</p>
  return (
    <ul className="rounded-md border bg-surface">
      {settled.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </ul>
  )
}

function OrderRow({ order }: { order: Order }) {
  const { title, symbols, paidAt, createdAt, receiptUrl, status, currency, receipts = [], pendingRefund = null } = order
  const review = order.review && (order.review.isOver ? 'разобран администратором' : 'ждёт проверки')
  const refund = pendingRefund && `возврат ${formatMoney({ amount: pendingRefund.amount, currency })} идёт`
  const facts = [formatDate(paidAt ?? createdAt), formatSymbols(symbols), review ?? states[status], refund].filter(
    Boolean,
  )
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-3 last:border-0">
      <div className="min-w-0">
        <p className="wrap-anywhere">{title}</p>
        <p className="figures text-sm text-muted">{facts.join(' · ')}</p>
      </div>
      <div className="flex items-center gap-3">
        <span className="figures font-medium">{formatMoney(order)}</span>
        {(status === 'pending' || review) && (
          <ButtonLink size="sm" href={paths.payment(order.id)} aria-label={`Открыть платёж: ${title}`}>
            Открыть
          </ButtonLink>
        )}
        {receiptUrl && (
          <a
            href={receiptUrl}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Чек: ${title}, ${formatDate(paidAt ?? createdAt)}`}
            className={buttonStyle('secondary', 'sm')}
          >
            Чек
            <ExternalLink size={14} />
          </a>
        )}
      </div>
      {receipts.length > 0 && (
        <div className="w-full">
          <ReceiptLines receipts={receipts} />
        </div>
      )}
    </li>
  )
}
