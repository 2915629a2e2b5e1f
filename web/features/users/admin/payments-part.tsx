import { ExternalLink } from 'lucide-react'
import type { Order } from '#contract/payments.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { formatDate, formatDateTime, formatMoney, formatSymbols } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import { CardPart, linkStyle, rowStyle } from './card-part.tsx'
import { orderStates, subscriptionLabel } from './user-labels.ts'

export function PaymentsPart({ user: { orders, subscriptions, consents } }: { user: UserCard }) {
  return (
    <CardPart title="Подписка и платежи">
      {subscriptions.length === 0 && orders.length === 0 && <p className="text-muted">Ничего не покупал.</p>}
      {subscriptions.length > 0 && (
        <ul aria-label="Подписки">
          {subscriptions.map((subscription) => (
            <li key={subscription.id} className={rowStyle}>
              <span className="min-w-0">
                <span className="block wrap-anywhere">{subscription.plan.name}</span>
                <span className="block text-sm text-muted">{subscriptionLabel(subscription)}</span>
              </span>
              <span className="figures shrink-0">{formatMoney(subscription.price)}</span>
            </li>
          ))}
        </ul>
      )}
      {orders.length > 0 && (
        <div className="border-t pt-4">
          <h3 className="text-sm font-medium">Платежи</h3>
          <ul aria-label="Платежи" className="mt-2">
            {orders.map((order) => (
              <OrderRow key={order.id} order={order} />
            ))}
          </ul>
        </div>
      )}
      {consents.length > 0 && (
        <div className="border-t pt-4">
          <h3 className="text-sm font-medium">Согласия на автоматическое продление</h3>
          <ul aria-label="Согласия" className="mt-2 text-sm">
            {consents.map(({ id, plan, textVersion, ip, createdAt }) => (
              <li key={id} className={rowStyle}>
                <span className="min-w-0 wrap-anywhere">
                  {plan}, текст {textVersion}
                </span>
                <span className="figures shrink-0 text-right text-muted">
                  {formatDateTime(createdAt)}
                  <span className="block">{ip}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </CardPart>
  )
}

function OrderRow({ order }: { order: Order }) {
  const { label, tone } = orderStates[order.status]
  return (
    <li className={rowStyle}>
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="wrap-anywhere">{order.title}</span>
          <Badge tone={tone}>{label}</Badge>
        </span>
        <span className="block text-sm text-muted">
          {formatDate(order.paidAt ?? order.createdAt)} · {formatSymbols(order.symbols)}
        </span>
      </span>
      <span className="figures shrink-0 text-right">
        <span className="block">{formatMoney(order)}</span>
        {order.receiptUrl && (
          <a href={order.receiptUrl} target="_blank" rel="noopener noreferrer" className={linkStyle}>
            Чек <ExternalLink size={12} aria-hidden="true" className="inline" />
          </a>
        )}
      </span>
    </li>
  )
}
