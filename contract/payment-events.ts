import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { requiredText } from './fields.ts'
import { knownOr } from './known-or.ts'
import { TableQuery, tableOf } from './paging.ts'
import { RowGateway } from './payments.ts'

/** Reports of the payment gateway, and problems with payments that the server found by itself; for admins. */

export const PaymentEventKind = z.enum(['payment', 'refund', 'chargeback', 'subscription', 'page', 'unknown'])
export type PaymentEventKind = z.infer<typeof PaymentEventKind>

/** `taken`: applied. `orphan`: belongs to no known order. `refused`: belongs to one, but must not be applied. */
export const PaymentEventState = z.enum(['taken', 'waiting', 'orphan', 'refused', 'resolved'])
export type PaymentEventState = z.infer<typeof PaymentEventState>

export const PaymentEvent = z.object({
  id: z.string(),
  gateway: RowGateway,
  kind: knownOr(PaymentEventKind, 'unknown'),
  state: knownOr(PaymentEventState, 'waiting'),
  /** As the gateway sent it. */
  status: z.nullable(z.string()),
  /** The id at the gateway of a payment, a subscription or a checkout. */
  uid: z.nullable(z.string()),
  amount: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  /** The payer as the gateway names them. */
  payer: z.nullable(z.string()),
  /** How often a webhook brought it; zero when only our own request did. */
  deliveries: z.int(),
  receivedAt: z.iso.datetime(),
  processedAt: z.nullable(z.iso.datetime()),
  /** Why it was not applied. */
  problem: z.nullable(z.string()),
  resolution: z.nullable(z.object({ note: z.string(), at: z.iso.datetime(), by: z.nullable(z.string()) })),
})
export type PaymentEvent = z.infer<typeof PaymentEvent>

const FittingOrder = z.object({
  id: z.string(),
  title: z.string(),
  email: z.nullable(z.string()),
  amount: z.int(),
  currency: z.string(),
  createdAt: z.iso.datetime(),
})

export const PaymentEventCard = z.extend(PaymentEvent, {
  /** The received body without secrets and card data; null for a problem that the server found by itself. */
  body: z.unknown(),
  orders: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })),
  /** Whether processing it again may help; it is always safe. */
  canRetry: z.boolean(),
  /** Unpaid orders of the same amount that this payment may belong to. */
  fitting: z.array(FittingOrder),
})
export type PaymentEventCard = z.infer<typeof PaymentEventCard>

export const PaymentEventQuery = z.extend(TableQuery, {
  /** `open`: not applied and not resolved by an admin yet. */
  state: z._default(z.enum(['open', 'resolved', 'all']), 'open'),
})
export type PaymentEventQuery = z.infer<typeof PaymentEventQuery>
export const paymentEventSorts = ['receivedAt', 'deliveries'] as const

export const EventResolution = z.strictObject({ note: requiredText(500) })

export const paymentEventsApi = {
  table: endpoint('GET', '/api/payment-events', {
    who: 'admin',
    summary: 'События оплаты: те, с которыми что-то не так, или все',
    query: PaymentEventQuery,
    returns: tableOf(PaymentEvent),
  }),
  csv: endpoint('GET', '/api/payment-events/csv', {
    who: 'admin',
    summary: 'События оплаты по отбору файлом CSV',
    proof: 'fresh',
    query: PaymentEventQuery,
    answers: 'file',
  }),
  get: endpoint('GET', '/api/payment-events/:id', {
    who: 'admin',
    summary: 'Событие оплаты: что пришло и к какому заказу подходит',
    returns: PaymentEventCard,
  }),
  retry: endpoint('POST', '/api/payment-events/:id/retry', {
    who: 'admin',
    summary: 'Обработать событие снова; дважды ничего не начисляется',
    returns: PaymentEventCard,
  }),
  attach: endpoint('POST', '/api/payment-events/:id/attach', {
    who: 'admin',
    summary: 'Зачесть платёж за неоплаченный заказ той же суммы',
    body: z.strictObject({ orderId: z.string() }),
    returns: PaymentEventCard,
  }),
  resolve: endpoint('POST', '/api/payment-events/:id/resolve', {
    who: 'admin',
    summary: 'Отметить событие разобранным, с пояснением',
    body: EventResolution,
    returns: PaymentEventCard,
  }),
  reopen: endpoint('POST', '/api/payment-events/:id/reopen', {
    who: 'admin',
    summary: 'Вернуть событие в неразобранные',
    returns: PaymentEventCard,
  }),
}
