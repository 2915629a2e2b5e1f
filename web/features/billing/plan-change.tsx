import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlanChangeTerms } from '#contract/payments.ts'
import { formatDate, formatDay, formatMoney, formatNumber, formatSymbols, plural } from '#web/lib/format.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { changeTermsQuery, useChangePlan } from './payment-queries.ts'
import { consentText, perDays, priceOf, soldOnce } from './plan-terms.ts'
import { Terms } from './terms.tsx'

/** `plan`: another plan. `card`: the same plan from another card. `again`: a plan after a cancellation. */
type Reason = 'plan' | 'card' | 'again'

interface PlanChangeCheckoutProps {
  planId: string
  reason: Reason
  onScheduled: () => void
}

/** Shows what is paid now and next, and what happens to unused days and symbols, before the payment. */
export function PlanChangeCheckout({ planId, reason, onScheduled }: PlanChangeCheckoutProps) {
  const terms = useQuery(changeTermsQuery(planId))
  if (terms.isError) return <QueryError query={terms} />
  if (!terms.data) return <Skeleton className="h-48" />
  return <ChangeForm planId={planId} reason={reason} terms={terms.data} onScheduled={onScheduled} />
}

function ChangeForm({ planId, reason, terms, onScheduled }: PlanChangeCheckoutProps & { terms: PlanChangeTerms }) {
  const change = useChangePlan(onScheduled)
  const isNotSetUp = change.rejection === 'not-set-up'
  return (
    <CheckoutForm
      consent={reason === 'card' ? null : { text: consentText(terms.plan), missing: MISSING_CONSENT }}
      isNotSetUp={isNotSetUp}
      errorText={change.errorText}
      isRedirecting={change.redirectingWith !== undefined}
      label={(renews) => submitLabel(terms, reason, renews)}
      currency={terms.currency}
      isPaidNow={terms.when === 'now'}
      onSubmit={(choice) => change.mutate({ planId, amount: terms.amount, ...choice })}
    >
      {(renews) => <Terms terms={terms.when === 'now' ? termsNow(terms, reason, renews) : termsLater(terms)} />}
    </CheckoutForm>
  )
}

const MISSING_CONSENT = 'Без согласия тариф не сменить: отметьте его, если условия подходят.'

function submitLabel({ when, amount, currency, next }: PlanChangeTerms, reason: Reason, renews: boolean): string {
  if (when === 'later') return `Сменить тариф с ${formatDate(next.at)}`
  const verb = { plan: 'Сменить тариф', card: 'Сменить карту', again: renews ? 'Подписаться' : 'Купить' }[reason]
  return `${verb} за ${formatMoney({ amount, currency })}`
}

type TermList = [name: string, value: ReactNode][]

const days = (n: number) => `${formatNumber(n)}\u00a0${plural(n, 'день', 'дня', 'дней')}`

function termsNow(terms: PlanChangeTerms, reason: Reason, renews: boolean): TermList {
  const { amount, currency, symbols, unused, next, plan } = terms
  const price = formatMoney(priceOf(plan))
  const rest = formatMoney({ amount: unused.amount, currency })
  const isCounted = unused.amount > 0
  const isLeast = unused.amount >= plan.price
  return [
    [
      'К оплате сейчас',
      isLeast
        ? `${formatMoney({ amount, currency })}, наименьшая сумма для банка: ни один из оплаченных дней не прошёл`
        : isCounted
          ? `${formatMoney({ amount, currency })}: ${price} минус ${rest} за неиспользованные ${days(unused.days)}`
          : price,
    ],
    [
      'Символы',
      isCounted
        ? `${formatSymbols(symbols)} сразу: ${formatNumber(plan.symbols)} минус ${formatNumber(unused.symbols)} за те же дни, они уже начислены`
        : `${formatSymbols(symbols)} сразу`,
    ],
    [
      'Символы на балансе',
      isCounted ? 'остаются; срок прежних продлится до конца нового периода' : 'остаются до своего срока',
    ],
    renews
      ? ['Следующее списание', `${formatDate(next.at)}, ${formatMoney({ amount: next.amount, currency })}`]
      : ['Продление', soldOnce(new Date(next.at))],
    [
      'Прежняя подписка',
      reason !== 'again' && 'закончится, когда пройдёт эта оплата; если оплата не пройдёт, всё останется как есть',
    ],
  ]
}

function termsLater({ next, plan }: PlanChangeTerms): TermList {
  return [
    ['К оплате сейчас', 'ничего'],
    [
      'Новый тариф',
      `с ${formatDate(next.at)}: ${formatMoney(priceOf(plan))} ${perDays(plan.intervalDays)} тем же способом оплаты`,
    ],
    ['До этого дня', `прежний тариф; передумать можно до ${formatDay(next.at)}`],
    ['Неиспользованные символы', 'сгорают в конце оплаченного периода; символы из пакетов остаются'],
  ]
}
