import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Plan } from '#contract/plans.ts'
import { formatDate, formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { useSubscribe } from './payment-queries.ts'
import { PlanChangeCheckout } from './plan-change.tsx'
import { consentText, everyDays, firstRenewal, perDays, priceOf, pricePerThousand, soldOnce } from './plan-terms.ts'
import { plansQuery } from './queries.ts'
import { SymbolsWorth } from './symbols-worth.tsx'
import { Terms } from './terms.tsx'

interface PlanChoiceProps {
  /** The current or former plan: not offered while it renews, preselected once it is cancelled. */
  currentPlan?: { id: string; isRenewing: boolean }
  /** Preselected: the plan of an ended subscription. */
  preselectedId?: string | null
  /** Called when the change takes effect later, so that nothing is left to choose. */
  onScheduled?: () => void
}

export function PlanChoice({ currentPlan, preselectedId, onScheduled = () => {} }: PlanChoiceProps) {
  const plans = useQuery(plansQuery)
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (plans.isError) return <QueryError query={plans} />
  if (!plans.data) return <Skeleton className="h-40" />

  const offered = currentPlan?.isRenewing ? plans.data.filter(({ id }) => id !== currentPlan.id) : plans.data
  const wantedId = chosenId ?? currentPlan?.id ?? preselectedId
  const chosen = offered.find(({ id }) => id === wantedId) ?? offered[0]
  if (!chosen && currentPlan?.isRenewing) return <p className="text-muted">Других тарифов пока нет.</p>
  if (!chosen) return <p className="text-muted">Тарифов пока нет. Как только появятся, их можно будет выбрать здесь.</p>
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">Тариф</legend>
        {offered.map((plan) => (
          <PlanCard key={plan.id} plan={plan} isChosen={plan === chosen} onChoose={() => setChosenId(plan.id)} />
        ))}
      </fieldset>
      {currentPlan ? (
        <PlanChangeCheckout
          key={chosen.id}
          planId={chosen.id}
          reason={currentPlan.isRenewing ? 'plan' : 'again'}
          onScheduled={onScheduled}
        />
      ) : (
        <PlanCheckout key={chosen.id} plan={chosen} />
      )}
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
        <span className="text-xl font-semibold">{formatMoney(priceOf(plan))}</span> {perDays(intervalDays)}
      </span>
      <span className="figures mt-2">{formatSymbols(symbols)}</span>
      <SymbolsWorth symbols={symbols} />
      <span className="figures text-sm text-muted">
        {pricePerThousand(plan)} за {formatNumber(1000)} символов
      </span>
      {description && <span className="mt-2 text-sm text-pretty text-muted">{description}</span>}
    </label>
  )
}

/** Shows all terms of the subscription before the payment page. */
function PlanCheckout({ plan }: { plan: Plan }) {
  const subscribe = useSubscribe()
  const [promocode, setPromocode] = useState<string | null>(null)
  const isCodeRefused = subscribe.rejection === 'code'
  const price = formatMoney(priceOf(plan))
  return (
    <CheckoutForm
      consent={{ text: consentText(plan), missing: MISSING_CONSENT }}
      isNotSetUp={subscribe.rejection === 'not-set-up'}
      errorText={isCodeRefused ? undefined : subscribe.errorText}
      isRedirecting={subscribe.redirectingWith !== undefined}
      label={(renews) => (renews ? 'Оформить подписку' : 'Купить на один период')}
      currency={plan.currency}
      isPaidNow
      onSubmit={(choice) => subscribe.mutate({ planId: plan.id, promocode: promocode?.trim() ?? '', ...choice })}
    >
      {(renews) => (
        <>
          <Terms
            terms={[
              ['К оплате сейчас', `${price} ${perDays(plan.intervalDays)}, ${formatSymbols(plan.symbols)}`],
              ['Следующее списание', renews ? `${formatDate(firstRenewal(plan))}, ${price}` : 'не будет'],
              [
                'Продление',
                renews
                  ? `автоматически ${everyDays(plan.intervalDays)}, пока не отмените в два нажатия здесь же`
                  : soldOnce(firstRenewal(plan)),
              ],
              ['Неиспользованные символы', 'сгорают в конце оплаченного периода; символы из пакетов остаются'],
            ]}
          />
          {promocode === null ? (
            <Button variant="ghost" size="sm" className="-ml-3 self-start" onClick={() => setPromocode('')}>
              Есть промокод на скидку
            </Button>
          ) : (
            <TextField
              label="Промокод на скидку"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={100}
              value={promocode}
              onChange={(event) => setPromocode(event.target.value)}
              hint={
                renews
                  ? 'Скидка действует на первый платёж, следующие по полной цене.'
                  : 'Скидка действует на этот платёж.'
              }
              error={isCodeRefused ? subscribe.errorText : null}
            />
          )}
        </>
      )}
    </CheckoutForm>
  )
}

const MISSING_CONSENT = 'Без согласия подписку не оформить: отметьте его, если условия подходят.'
