import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PayMethod } from '#contract/payments.ts'
import type { TokenBundle } from '#contract/plans.ts'
import { formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { methodHint, methodLabels, payOptionsQuery, usePayOptions } from './pay-methods.tsx'
import { PaymentErrorNote } from './payment-error.tsx'
import { useBuyBundle } from './payment-queries.ts'
import { priceOf, pricePerThousand } from './plan-terms.ts'
import { bundlesQuery } from './queries.ts'
import { SymbolsWorth } from './symbols-worth.tsx'

type Buying = ReturnType<typeof useBuyBundle>

export function BundleCards() {
  const bundles = useQuery(bundlesQuery)
  const [asked, setAsked] = useState<TokenBundle | null>(null)
  const buy = useBuyBundle(() => setAsked(null))
  const currencies = [...new Set((bundles.data ?? []).map(({ currency }) => currency))]
  const found = useQueries({ queries: currencies.map(payOptionsQuery) })
  const options = found.map(({ data }) => data)
  // A press before the methods are known would skip the choice; without an answer the payment page asks.
  const isLoading = found.some(({ isPending }) => isPending)
  const isOff = options.length > 0 && options.every((known) => known?.isOn === false)
  const isNotSetUp = isOff || buy.rejection === 'not-set-up'
  if (bundles.isError) return <QueryError query={bundles} />
  if (!bundles.data) return <Skeleton className="h-32" />
  // An administrator gets all bundles; without any payments the prices are shown with a note.
  const isPayable = ({ currency }: TokenBundle) => isOff || options[currencies.indexOf(currency)]?.isOn !== false
  const offered = bundles.data.filter(isPayable)
  if (offered.length === 0) return <p className="text-muted">Пакетов пока нет.</p>
  return (
    <div className="flex flex-col gap-4">
      <ul className="grid gap-3 sm:grid-cols-2 sm:[&:has(>:nth-child(3):last-child)]:grid-cols-1 lg:[&:has(>:nth-child(3):last-child)]:grid-cols-3">
        {offered.map((bundle) => (
          <BundleCard
            key={bundle.id}
            bundle={bundle}
            isRedirecting={buy.redirectingWith?.bundleId === bundle.id}
            isBlocked={buy.redirectingWith !== undefined || isNotSetUp || isLoading}
            onBuy={(methods) =>
              methods.length > 1 ? setAsked(bundle) : buy.mutate({ bundleId: bundle.id, method: methods[0] })
            }
          />
        ))}
      </ul>
      {!asked && <PaymentErrorNote isNotSetUp={isNotSetUp} errorText={buy.errorText} />}
      {asked && <MethodDialog bundle={asked} buy={buy} onClose={() => setAsked(null)} />}
    </div>
  )
}

interface BundleCardProps {
  bundle: TokenBundle
  isRedirecting: boolean
  isBlocked: boolean
  onBuy: (methods: readonly PayMethod[]) => void
}

function BundleCard({ bundle, isRedirecting, isBlocked, onBuy }: BundleCardProps) {
  const { methods } = usePayOptions(bundle.currency)
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
            onClick={() => onBuy(methods)}
          >
            Купить
          </Button>
        </div>
      </Card>
    </li>
  )
}

/** One press pays: each method is a button. */
function MethodDialog({ bundle, buy, onClose }: { bundle: TokenBundle; buy: Buying; onClose: () => void }) {
  const { methods } = usePayOptions(bundle.currency)
  const paying = buy.redirectingWith
  return (
    <Dialog open title="Чем заплатить?" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-pretty wrap-anywhere">
          {bundle.name}, {formatSymbols(bundle.symbols)}: <b className="figures">{formatMoney(priceOf(bundle))}</b>
        </p>
        <ul className="flex flex-col gap-4">
          {methods.map((method) => (
            <li key={method}>
              <Button
                className="w-full"
                busy={paying?.method === method}
                disabled={paying !== undefined}
                onClick={() => buy.mutate({ bundleId: bundle.id, method })}
              >
                {methodLabels[method]}
              </Button>
              <p className="mt-1 text-sm text-pretty text-muted">{methodHint(method)}</p>
            </li>
          ))}
        </ul>
        <PaymentErrorNote isNotSetUp={buy.rejection === 'not-set-up'} errorText={buy.errorText} />
      </div>
    </Dialog>
  )
}
