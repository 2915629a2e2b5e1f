import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Money } from '#contract/billing.ts'
import type { PromoStatistics } from '#contract/promocodes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDateTime, formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TableState } from '#web/ui/table/table-state.tsx'
import { promoStatisticsQuery } from './queries.ts'

interface PromoFiguresProps {
  id: string
  isDiscount: boolean
}

export function PromoFigures({ id, isDiscount }: PromoFiguresProps) {
  const heading = useId()
  const statistics = useQuery(promoStatisticsQuery(id))
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3">
      <h2 id={heading} className="text-lg font-semibold">
        Итоги
      </h2>
      <TableState query={statistics} isEmpty={false} empty={null}>
        {statistics.data ? (
          <>
            <Figures statistics={statistics.data} isDiscount={isDiscount} />
            <RecentUses recent={statistics.data.recent} />
          </>
        ) : (
          <Skeleton className="h-24" />
        )}
      </TableState>
    </section>
  )
}

function Figures({ statistics, isDiscount }: { statistics: PromoStatistics; isDiscount: boolean }) {
  const { uses, symbols, orders, revenue, discount } = statistics
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure name="Применили">{formatNumber(uses)}</Figure>
      {isDiscount ? (
        <>
          <Figure name="Оплатили">{formatNumber(orders)}</Figure>
          <Figure name="Выручка">{moneyLabels(revenue)}</Figure>
          <Figure name="Скидок на сумму">{moneyLabels(discount)}</Figure>
        </>
      ) : (
        <Figure name="Роздано символов">{formatNumber(symbols)}</Figure>
      )}
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Card className="p-4!">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="figures mt-1 text-xl font-semibold">{children}</dd>
    </Card>
  )
}

function moneyLabels(sums: Money[]): string {
  return sums.map(formatMoney).join(' + ') || '0'
}

const statuses: Record<string, string> = {
  pending: 'ещё не оплачено',
  failed: 'не прошло',
  expired: 'не оплачено',
  refunded: 'возвращено',
  charged_back: 'отозвано банком',
}

function RecentUses({ recent }: Pick<PromoStatistics, 'recent'>) {
  if (recent.length === 0) return <p className="text-muted">Код ещё никто не применил.</p>
  return (
    <Card className="p-0!">
      <ul aria-label="Кто применил" className="divide-y">
        {recent.map(({ userId, email, at, symbols, order }) => (
          <li key={userId} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 text-sm">
            <Link href={adminPaths.user(userId)} className="rounded-xs text-accent-ink wrap-anywhere hover:underline">
              {email}
            </Link>
            <span className="figures text-muted">
              {symbols !== null && `${formatSymbols(symbols)} · `}
              {order && `${formatMoney(order)}${order.status in statuses ? `, ${statuses[order.status]}` : ''} · `}
              {formatDateTime(at)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
