import type { ReactNode } from 'react'
import type { Order } from '#contract/payments.ts'
import type { TransactionKind } from '#contract/transactions.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatDate, formatDateTime, formatDay, formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { ExternalLink } from '#web/ui/icons.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import { CardLink, CardSection, Facts, linkStyle, rowStyle } from './card-section.tsx'
import { orderStates, rejectionLabels, rejectionNotes, subscriptionLabel } from './user-labels.ts'

interface MoneySectionProps {
  user: UserCard
  /** The list of grants, which billing renders. */
  grants: ReactNode
  onStartGift: () => void
}

export function MoneySection({ user, grants, onStartGift }: MoneySectionProps) {
  const { SingleSubscription: balance, giftRejection, spent } = user
  return (
    <CardSection title="Баланс">
      <p className="figures text-2xl font-semibold">{formatSymbols(balance.availableTokens)}</p>
      {giftRejection && (
        <Callout
          tone="warning"
          title={`Стартовые символы не выданы: ${rejectionLabels[giftRejection.reason]}`}
          action={
            <Button size="sm" onClick={onStartGift}>
              Выдать вручную
            </Button>
          }
        >
          {formatSymbols(giftRejection.symbols)}, отказано {formatDay(giftRejection.createdAt)}.{' '}
          {rejectionNotes[giftRejection.reason]}
        </Callout>
      )}
      <Facts
        facts={[
          ...(balance.held > 0 ? [['Занято идущими ответами', formatNumber(balance.held)] as [string, string]] : []),
          ['Потрачено за 30 дней', formatNumber(spent.month)],
          ['Потрачено всего', formatNumber(spent.total)],
          ['Свой предел на день', balance.dailyCap === null ? 'не задан' : formatNumber(balance.dailyCap)],
        ]}
      />
      {grants}
    </CardSection>
  )
}

const MINUS = '\u2212'

interface OperationsSectionProps {
  user: UserCard
  nameOf: (kind: TransactionKind) => string
}

export function OperationsSection({ user: { id, operations, counts }, nameOf }: OperationsSectionProps) {
  return (
    <CardSection
      title="Последние операции"
      action={<CardLink href={adminPaths.transactionsOf(id)}>Все операции</CardLink>}
    >
      {counts.disputes > 0 && (
        <p className="text-sm text-muted">
          Оспорено списаний: {formatNumber(counts.disputes)}, ждут решения: {formatNumber(counts.openDisputes)}.
        </p>
      )}
      {operations.length === 0 && <p className="text-muted">Операций пока не было.</p>}
      <ul aria-label="Операции" className="empty:hidden">
        {operations.map(({ id: key, kind, symbols, balanceAfter, note, disputed, createdAt }) => (
          <li key={key} className={rowStyle}>
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-x-2">
                {nameOf(kind)}
                {disputed && <Badge tone="warning">оспорено</Badge>}
              </span>
              <span className="block text-sm text-muted wrap-anywhere">
                {formatDateTime(createdAt)}
                {note && ` · ${note}`}
              </span>
            </span>
            <span className="figures shrink-0 text-right">
              <span className={classNames('block font-medium', symbols > 0 && 'text-success')}>
                {symbols > 0 ? '+' : MINUS}
                {formatNumber(Math.abs(symbols))}
              </span>
              <span className="block text-sm text-muted">стало {formatNumber(balanceAfter)}</span>
            </span>
          </li>
        ))}
      </ul>
    </CardSection>
  )
}

export function PaymentsSection({ user: { orders, subscriptions, consents } }: { user: UserCard }) {
  return (
    <CardSection title="Подписка и платежи">
      {subscriptions.length === 0 && orders.length === 0 && <p className="text-muted">Покупок нет.</p>}
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
    </CardSection>
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
            Чек <ExternalLink size={12} className="inline" />
          </a>
        )}
      </span>
    </li>
  )
}
