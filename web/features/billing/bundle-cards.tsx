import { useQuery } from '@tanstack/react-query'
import type { TokenBundle } from '#contract/plans.ts'
import { formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PaymentErrorNote } from './payment-error.tsx'
import { useBuyBundle } from './payment-queries.ts'
import { priceOf, pricePerThousand } from './plan-terms.ts'
import { bundlesQuery } from './queries.ts'
import { SymbolsWorth } from './symbols-worth.tsx'

export function BundleCards() {
  const bundles = useQuery(bundlesQuery)
  const buy = useBuyBundle()
  const isNotSetUp = buy.rejection === 'not-set-up'
  if (bundles.isError) return <QueryError query={bundles} />
  if (!bundles.data) return <Skeleton className="h-32" />
  if (bundles.data.length === 0) return <p className="text-muted">Пакетов пока нет.</p>
  return (
    <div className="flex flex-col gap-4">
      <ul className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]">
        {bundles.data.map((bundle) => (
          <BundleCard
            key={bundle.id}
            bundle={bundle}
            isRedirecting={buy.redirectingWith === bundle.id}
            isBlocked={buy.redirectingWith !== undefined || isNotSetUp}
            onBuy={() => buy.mutate(bundle.id)}
          />
        ))}
      </ul>
      <PaymentErrorNote isNotSetUp={isNotSetUp} errorText={buy.errorText} />
    </div>
  )
}

interface BundleCardProps {
  bundle: TokenBundle
  isRedirecting: boolean
  isBlocked: boolean
  onBuy: () => void
}

function BundleCard({ bundle, isRedirecting, isBlocked, onBuy }: BundleCardProps) {
  return (
    <li className="flex">
      <Card className="flex flex-1 flex-col">
        <p className="font-semibold wrap-anywhere">{bundle.name}</p>
        <p className="figures mt-1">{formatSymbols(bundle.symbols)}</p>
        <SymbolsWorth symbols={bundle.symbols} />
        <p className="figures text-sm text-muted">
          {pricePerThousand(bundle)} за {formatNumber(1000)} символов
        </p>
        <div className="mt-3 flex items-center justify-between gap-3">
          <span className="figures text-xl font-semibold">{formatMoney(priceOf(bundle))}</span>
          <Button
            size="sm"
            aria-label={`Купить: ${bundle.name}`}
            busy={isRedirecting}
            disabled={isBlocked}
            onClick={onBuy}
          >
            Купить
          </Button>
        </div>
      </Card>
    </li>
  )
}
