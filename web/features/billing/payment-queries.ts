import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import { type AwaitedOrder, CONSENT_VERSION, paymentsApi } from '#contract/payments.ts'
import { track } from '#web/lib/analytics.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { formErrorsOf } from '#web/lib/form-errors.ts'
import { message } from '#web/lib/notify.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { BILLING, cacheBalance } from './queries.ts'

/** Errors are shown in place. */

const POLL_MS = 3000

export const ordersQuery = callQuery([BILLING, 'orders'], paymentsApi.orders, {})

/** Polled while the payment is pending. */
export const orderQuery = (id: string) =>
  queryOptions<AwaitedOrder>({
    queryKey: [BILLING, 'order', id],
    queryFn: ({ signal }) => api(paymentsApi.order, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data, error } }) =>
      isUnknown(error) || (data && data.status !== 'pending') ? false : POLL_MS,
    meta: { silent: true },
  })

export function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

export function useSubscribe() {
  return usePayment(async ({ planId, promocode }: { planId: string; promocode: string }) => {
    await api(paymentsApi.consent, { body: { planId, version: CONSENT_VERSION } })
    track('Оформление подписки')
    return api(paymentsApi.subscriptionUrl, { query: { planId, ...(promocode && { promocode }) } })
  })
}

export function useBuyBundle() {
  return usePayment((bundleId: string) => {
    track('Покупка пакета')
    return api(paymentsApi.bundleUrl, { query: { bundleId } })
  })
}

/** The terms of a change of plan. Not cached: the price falls every day. */
export const changeTermsQuery = (planId: string) =>
  callQuery([BILLING, 'change', planId], paymentsApi.changeTerms, { query: { planId } }, { gcTime: 0 })

interface PlanChange {
  planId: string
  amount: number
  /** A new card for the same plan needs no new consent. */
  isAgreed: boolean
}

/** An immediate change opens the payment page; a later one is only scheduled. */
export function useChangePlan(onScheduled: () => void) {
  const client = useQueryClient()
  return usePayment(
    async ({ planId, amount, isAgreed }: PlanChange) => {
      if (isAgreed) await api(paymentsApi.consent, { body: { planId, version: CONSENT_VERSION } })
      track('Смена тарифа')
      return api(paymentsApi.changePlan, { body: { planId, amount } })
    },
    {
      onDone: (answer) => {
        message.success('Смена тарифа назначена')
        onScheduled()
        return cacheBalance(client, answer)
      },
      // The sum may have changed meanwhile: the new one is shown.
      onError: () => client.invalidateQueries({ queryKey: [BILLING, 'change'] }),
    },
  )
}

export function useKeepPlan() {
  return useFormCall(
    () => api(paymentsApi.keepPlan, {}),
    (client, answer) => {
      message.success('Тариф остаётся прежним')
      return cacheBalance(client, answer)
    },
  )
}

export function useRemoveCard() {
  return useFormCall(
    () => api(paymentsApi.removeCard, {}),
    (client, answer) => {
      message.success('Карта отвязана, списаний не будет')
      return cacheBalance(client, answer)
    },
  )
}

interface AfterPayment<Output> {
  /** Nothing is to be paid now. */
  onDone?: (answer: Output) => unknown
  onError?: () => unknown
}

function usePayment<Input, Output extends { redirect_url: string | null }>(
  ask: (input: Input) => Promise<Output>,
  { onDone, onError }: AfterPayment<Output> = {},
) {
  const payment = useMutation({
    meta: { silent: true },
    mutationFn: ask,
    onSuccess: (answer) => (answer.redirect_url ? location.assign(answer.redirect_url) : onDone?.(answer)),
    onError,
  })
  const { reset } = payment
  // «Back» from the payment page may restore this page from the cache with the button still busy.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && reset()
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [reset])

  const { error, mutate, variables } = payment
  const isRedirecting = payment.isPending || payment.data?.redirect_url
  const redirectingWith = isRedirecting ? variables : undefined
  return { mutate, redirectingWith, rejection: rejectionOf(error), errorText: formErrorsOf(payment.error).form }
}

/** `code`: the promo code was rejected. `not-set-up`: payments are not configured, so a retry is useless. */
function rejectionOf(error: Error | null): 'code' | 'not-set-up' | 'other' | null {
  if (!error) return null
  if (!(error instanceof ApiError)) return 'other'
  if (error.code === 'payments_off') return 'not-set-up'
  return error.field === 'code' || error.field === 'promocode' ? 'code' : 'other'
}

export function useCancelSubscription() {
  return useFormCall(
    () => api(paymentsApi.cancel, {}),
    (client, answer) => {
      message.success('Продление отменено, списаний не будет')
      return cacheBalance(client, answer)
    },
  )
}
