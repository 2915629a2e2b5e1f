import { keepPreviousData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiKeysAdminApi } from '#contract/api-keys.ts'
import { type OrderFilter, type OrderQuery, ordersAdminApi } from '#contract/orders-admin.ts'
import { type PaymentEventCard, type PaymentEventQuery, paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { type LedgerFilter, type LedgerQuery, ledgerApi } from '#contract/transactions-admin.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'

/** Operations, orders and payment events of all users. Errors are shown in place. */

const TRANSACTIONS = 'transactions'
const silent = { meta: { silent: true } } as const

export const ledgerQuery = (query: LedgerQuery) =>
  callQuery([TRANSACTIONS, 'ledger', query], ledgerApi.table, { query }, { placeholderData: keepPreviousData })

export const ledgerTotalsQuery = (query: LedgerFilter) =>
  callQuery([TRANSACTIONS, 'ledger-totals', query], ledgerApi.totals, { query }, { placeholderData: keepPreviousData })

export const keysOfQuery = (userId: string) =>
  callQuery([TRANSACTIONS, 'keys', userId], apiKeysAdminApi.ofUser, { params: { id: userId } }, silent)

export const entryQuery = (id: string) => callQuery([TRANSACTIONS, 'entry', id], ledgerApi.card, { params: { id } })

export const orderTableQuery = (query: OrderQuery) =>
  callQuery([TRANSACTIONS, 'orders', query], ordersAdminApi.table, { query }, { placeholderData: keepPreviousData })

export const orderTotalsQuery = (query: OrderFilter) =>
  callQuery(
    [TRANSACTIONS, 'order-totals', query],
    ordersAdminApi.totals,
    { query },
    { placeholderData: keepPreviousData },
  )

export const orderCardQuery = (id: string) =>
  callQuery([TRANSACTIONS, 'order', id], ordersAdminApi.card, { params: { id } })

export const eventTableQuery = (query: PaymentEventQuery) =>
  callQuery([TRANSACTIONS, 'events', query], paymentEventsApi.table, { query }, { placeholderData: keepPreviousData })

export const openEventsQuery = eventTableQuery({ state: 'open', page: 1, size: 1 })

export const eventCardQuery = (id: string) =>
  callQuery([TRANSACTIONS, 'event', id], paymentEventsApi.get, { params: { id } })

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [TRANSACTIONS] })

/** Refetches all lists: an action may have moved money in any of them. */
function useMoneyAction<Input, Output>(action: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ ...silent, mutationFn: action, onSettled: () => refresh(client) })
}

export function useCheckOrder() {
  return useMoneyAction((id: string) => api(paymentsApi.check, { params: { id } }))
}

export function useRepeatReceipt() {
  return useMoneyAction((id: string) => api(paymentsApi.repeatReceipt, { params: { id } }))
}

export interface RefundInput {
  id: string
  body: { reason: string; amount?: number; refunded: number }
}

export function useRefundOrder() {
  return useMoneyAction(({ id, body }: RefundInput) => api(paymentsApi.refund, { params: { id }, body }))
}

function useEventAction<Input extends { id: string }>(action: (input: Input) => Promise<PaymentEventCard>) {
  const client = useQueryClient()
  return useMutation({
    ...silent,
    mutationFn: action,
    onSuccess: (card) => client.setQueryData(eventCardQuery(card.id).queryKey, card),
    onSettled: () => refresh(client),
  })
}

export function useRetryEvent() {
  return useEventAction(({ id }: { id: string }) => api(paymentEventsApi.retry, { params: { id } }))
}

export function useAttachEvent() {
  return useEventAction(({ id, orderId }: { id: string; orderId: string }) =>
    api(paymentEventsApi.attach, { params: { id }, body: { orderId } }),
  )
}

export function useResolveEvent() {
  return useEventAction(({ id, note }: { id: string; note: string }) =>
    api(paymentEventsApi.resolve, { params: { id }, body: { note } }),
  )
}

export function useReopenEvent() {
  return useEventAction(({ id }: { id: string }) => api(paymentEventsApi.reopen, { params: { id } }))
}
