import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { ApiError } from '#contract/errors.ts'
import { type AwaitedOrder, CONSENT_VERSION, type PayMethod, paymentsApi } from '#contract/payments.ts'
import { track } from '#web/lib/analytics.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { formErrorsOf } from '#web/lib/form-errors.ts'
import { message } from '#web/lib/notify.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import type { PlanTermsChoice } from './checkout-form.tsx'
import { isHandheld, PAY_OPTIONS } from './pay-methods.tsx'
import { readPayment } from './payment-outcome.ts'
import { BILLING, cacheBalance } from './queries.ts'

/** Errors are shown in place. */

const POLL_MS = 3000

export const ordersQuery = callQuery([BILLING, 'orders'], paymentsApi.orders, {})

/** Polled while the payment is pending. What a person decides is announced with the balance. */
export const orderQuery = (id: string) =>
  queryOptions<AwaitedOrder>({
    queryKey: [BILLING, 'order', id],
    queryFn: ({ signal }) => api(paymentsApi.order, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data, error } }) =>
      isUnknown(error) || (data && (data.status !== 'pending' || data.review)) ? false : POLL_MS,
    meta: { silent: true },
  })

export function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

export function useSubscribe() {
  return usePayment(async ({ planId, promocode, isAgreed, method, renews }: NewSubscription) => {
    if (isAgreed) await api(paymentsApi.consent, { body: { planId, version: CONSENT_VERSION } })
    track('Оформление подписки')
    const seen = renews ? ('true' as const) : ('false' as const)
    const query = { planId, renews: seen, ...(promocode && { promocode }), ...(method && { method }) }
    return api(paymentsApi.subscriptionUrl, { query })
  })
}

type NewSubscription = PlanTermsChoice & {
  planId: string
  promocode: string
}

export function useBuyBundle(onStay: () => unknown) {
  return usePayment(
    ({ bundleId, method }: { bundleId: string; method: PayMethod | undefined }) => {
      track('Покупка пакета')
      return api(paymentsApi.bundleUrl, { query: { bundleId, ...(method && { method }) } })
    },
    { onStay },
  )
}

/** The terms of a change of plan. Not cached: the price falls every day. */
export const changeTermsQuery = (planId: string) =>
  callQuery([BILLING, 'change', planId], paymentsApi.changeTerms, { query: { planId } }, { gcTime: 0 })

/** A new card for the same plan needs no new consent. */
type PlanChange = PlanTermsChoice & {
  planId: string
  amount: number
}

/** An immediate change opens the payment page; a later one is only scheduled. */
export function useChangePlan(onScheduled: () => void) {
  const client = useQueryClient()
  return usePayment(
    async ({ planId, amount, isAgreed, method, renews }: PlanChange) => {
      if (isAgreed) await api(paymentsApi.consent, { body: { planId, version: CONSENT_VERSION } })
      track('Смена тарифа')
      const choice = { renews, ...(method && { method }) }
      return api(paymentsApi.changePlan, { body: { planId, amount, ...choice } })
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

const CONFIRM_POLL_MS = 5000

/** Polled while a new method waits for the bank. */
export const methodQuery = callQuery(
  [BILLING, 'method'],
  paymentsApi.method,
  {},
  { refetchInterval: ({ state }) => (state.data?.isConfirming ? CONFIRM_POLL_MS : false) },
)

/** A card is confirmed on a page of the bank, СБП by a code; on a phone the code opens the bank. */
export function useBindMethod() {
  return useFormCall(
    (kind: 'bank_card' | 'sbp') => api(paymentsApi.bindMethod, { body: { kind } }),
    (client, { redirect_url, qr }) => {
      if (!qr) location.assign(redirect_url)
      else if (isHandheld()) location.assign(qr.text)
      return client.invalidateQueries({ queryKey: methodQuery.queryKey })
    },
  )
}

export function useRemoveCard() {
  return useFormCall(
    () => api(paymentsApi.removeCard, {}),
    (client, answer) => {
      message.success('Способ оплаты отвязан, списаний не будет')
      client.setQueryData(methodQuery.queryKey, (known) => known && { ...known, method: null })
      return cacheBalance(client, answer)
    },
  )
}

interface AfterPayment<Output> {
  /** Nothing is to be paid now. */
  onDone?: (answer: Output) => unknown
  /** It is paid on our own page. */
  onStay?: () => unknown
  onError?: () => unknown
}

function usePayment<Input, Output extends { redirect_url: string | null }>(
  ask: (input: Input) => Promise<Output>,
  { onDone, onStay, onError }: AfterPayment<Output> = {},
) {
  const client = useQueryClient()
  const payment = useMutation({
    meta: { silent: true },
    mutationFn: ask,
    onSuccess: async (answer) => {
      if (!answer.redirect_url) await onDone?.(answer)
      else if (await openPayPage(client, answer.redirect_url)) {
        reset()
        onStay?.()
      }
    },
    onError: () => {
      // The shop may have lost a method or its renewals meanwhile: what is left is shown.
      void client.invalidateQueries({ queryKey: [PAY_OPTIONS] })
      return onError?.()
    },
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

/**
 * Resolves to true when this page stays: СБП is paid by the code that it shows. On a phone the bank is opened at once,
 * and «Back» leads to the state of the payment.
 */
async function openPayPage(client: QueryClient, address: string): Promise<boolean> {
  const { origin, pathname, search } = new URL(address, location.href)
  const orderId = readPayment(search)
  if (origin !== location.origin || !orderId) {
    location.assign(address)
    return false
  }
  navigate(pathname + search)
  const order = isHandheld() ? await client.fetchQuery(orderQuery(orderId)).catch(() => null) : null
  if (order?.qr) location.assign(order.qr.text)
  return !order?.qr
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
