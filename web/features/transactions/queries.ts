import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type OrderFilter, type OrderQuery, ordersAdminApi } from '#contract/orders-admin.ts'
import { type PaymentEventCard, type PaymentEventQuery, paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { type LedgerFilter, type LedgerQuery, ledgerApi } from '#contract/transactions-admin.ts'
import { api } from '#web/lib/api.ts'

/** Operations, orders and payment events of all users. Errors are shown in place. */

const TRANSACTIONS = 'transactions'
const silent = { meta: { silent: true } } as const
const listOptions = { placeholderData: keepPreviousData, ...silent } as const

export const ledgerQuery = (query: LedgerQuery) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'ledger', query],
    queryFn: ({ signal }) => api(ledgerApi.table, { query }, { signal }),
    ...listOptions,
  })

export const ledgerTotalsQuery = (query: LedgerFilter) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'ledger-totals', query],
    queryFn: ({ signal }) => api(ledgerApi.totals, { query }, { signal }),
    ...listOptions,
  })

export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'entry', id],
    queryFn: ({ signal }) => api(ledgerApi.card, { params: { id } }, { signal }),
    ...silent,
  })

export const orderTableQuery = (query: OrderQuery) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'orders', query],
    queryFn: ({ signal }) => api(ordersAdminApi.table, { query }, { signal }),
    ...listOptions,
  })

export const orderTotalsQuery = (query: OrderFilter) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'order-totals', query],
    queryFn: ({ signal }) => api(ordersAdminApi.totals, { query }, { signal }),
    ...listOptions,
  })

export const orderCardQuery = (id: string) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'order', id],
    queryFn: ({ signal }) => api(ordersAdminApi.card, { params: { id } }, { signal }),
    ...silent,
  })

export const eventTableQuery = (query: PaymentEventQuery) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'events', query],
    queryFn: ({ signal }) => api(paymentEventsApi.table, { query }, { signal }),
    ...listOptions,
  })

export const openEventsQuery = eventTableQuery({ state: 'open', page: 1, size: 1 })

export const eventCardQuery = (id: string) =>
  queryOptions({
    queryKey: [TRANSACTIONS, 'event', id],
    queryFn: ({ signal }) => api(paymentEventsApi.get, { params: { id } }, { signal }),
    ...silent,
  })

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [TRANSACTIONS] })

/** Refetches all lists: an action may have moved money in any of them. */
function useMoneyAction<Input, Output>(action: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ ...silent, mutationFn: action, onSettled: () => refresh(client) })
}

export function useCheckOrder() {
  return useMoneyAction((id: string) => api(paymentsApi.check, { params: { id } }))
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
