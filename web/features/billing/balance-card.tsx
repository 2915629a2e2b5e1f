import { useQuery } from '@tanstack/react-query'
import type { Grant, SingleSubscription } from '#contract/billing.ts'
import type { GiftRejection } from '#contract/users.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { giftRejectionLabel } from '#web/lib/gift-rejection.ts'
import { paths } from '#web/lib/paths.ts'
import { Card } from '#web/ui/card.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { balanceShare, balanceTone } from './balance.tsx'
import { DailyCap } from './daily-cap.tsx'
import { GrantList } from './grant-list.tsx'
import { grantsQuery } from './queries.ts'

interface BalanceCardProps {
  balance: SingleSubscription
  giftRejection: GiftRejection | null
}

export function BalanceCard({ balance, giftRejection }: BalanceCardProps) {
  const { availableTokens, capacity, held } = balance
  return (
    <Card className="flex flex-col gap-5">
      <div>
        <p className="figures text-3xl font-semibold tracking-tight">{formatSymbols(availableTokens)}</p>
        {capacity > 0 && (
          <>
            <Meter share={balanceShare(balance)} tone={balanceTone(balance)} className="mt-3 h-2" />
            <p className="figures mt-2 text-sm text-muted">из {formatNumber(capacity)}</p>
          </>
        )}
        {giftRejection && capacity === 0 && (
          <p className="mt-2 text-pretty text-muted">
            {giftRejectionLabel[giftRejection]}{' '}
            <TextLink inText href={paths.profile('plan')}>
              Выбрать тариф
            </TextLink>
          </p>
        )}
        {held > 0 && <p className="figures mt-1 text-sm text-muted">{formatSymbols(held)} сейчас идут на ответ</p>}
      </div>
      <Grants />
      <DailyCap balance={balance} />
    </Card>
  )
}

/** In spending order. */
function Grants() {
  const grants = useQuery(grantsQuery)
  if (grants.isError) return <QueryError query={grants} />
  if (!grants.data) return <Skeleton className="h-16" />
  return <GrantList grants={[...grants.data].sort(bySpending)} />
}

/** Grants that expire first are spent first, then the oldest. */
function bySpending(a: Grant, b: Grant): number {
  if (a.expiresAt !== b.expiresAt) return (a.expiresAt ?? '9').localeCompare(b.expiresAt ?? '9')
  return a.createdAt.localeCompare(b.createdAt)
}
