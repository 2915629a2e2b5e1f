import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Plan } from '#contract/plans.ts'
import { formatMoney, formatSymbols } from '#web/lib/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { plansQuery } from './payment-queries.ts'
import { PlanCheckout } from './plan-checkout.tsx'
import { per, priceOf, pricePerThousand } from './plan-terms.ts'
import { QueryError } from './query-error.tsx'

/** The plans, and the terms of the chosen one below them. */
export function PlanChoice() {
  const plans = useQuery(plansQuery)
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (plans.isError) return <QueryError query={plans} />
  if (!plans.data) return <Skeleton className="h-40" />

  const chosen = plans.data.find(({ id }) => id === chosenId) ?? plans.data[0]
  if (!chosen) return <p className="text-muted">Тарифов пока нет. Как только появятся, их можно будет выбрать здесь.</p>
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">Тариф</legend>
        {plans.data.map((plan) => (
          <PlanCard key={plan.id} plan={plan} isChosen={plan === chosen} onChoose={() => setChosenId(plan.id)} />
        ))}
      </fieldset>
      <PlanCheckout key={chosen.id} plan={chosen} />
    </div>
  )
}

interface PlanCardProps {
  plan: Plan
  isChosen: boolean
  onChoose: () => void
}

function PlanCard({ plan, isChosen, onChoose }: PlanCardProps) {
  const { name, description, symbols, intervalDays } = plan
  return (
    <label className="flex flex-col rounded-md border border-line-strong bg-surface p-5 transition-colors hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-focus-visible:ring-focus">
      <span className="flex items-center justify-between gap-3">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <input
          type="radio"
          name="plan"
          checked={isChosen}
          onChange={onChoose}
          className="size-5 shrink-0 accent-accent outline-none"
        />
      </span>
      <span className="figures mt-1">
        <span className="text-xl font-semibold">{formatMoney(priceOf(plan))}</span> {per(intervalDays)}
      </span>
      <span className="figures mt-2">{formatSymbols(symbols)}</span>
      <span className="figures text-sm text-muted">{pricePerThousand(plan)} за 1000 символов</span>
      {description && <span className="mt-2 text-sm text-pretty text-muted">{description}</span>}
    </label>
  )
}
