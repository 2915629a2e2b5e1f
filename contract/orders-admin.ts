import * as z from 'zod/mini'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { TableQuery, tableOf } from './paging.ts'
import { PaymentEvent } from './payment-events.ts'
import { Order, OrderKind, OrderStatus, RowGateway } from './payments.ts'

export const AdminOrder = z.extend(Order, {
  /** Null when the payer deleted the account. */
  userId: z.nullable(z.string()),
  email: z.nullable(z.string()),
  refundedAmount: z.int(),
  gateway: RowGateway,
  gatewayUid: z.nullable(z.string()),
  discountPercent: z.nullable(z.int()),
})
export type AdminOrder = z.infer<typeof AdminOrder>

export const orderSorts = ['createdAt', 'paidAt', 'amount', 'symbols'] as const

/** In minor units. */
const Sum = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000_000))
const filters = {
  status: z.optional(OrderStatus),
  kind: z.optional(OrderKind),
  userId: z.optional(z.string().check(z.maxLength(100))),
  planId: z.optional(z.string().check(z.maxLength(100))),
  bundleId: z.optional(z.string().check(z.maxLength(100))),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  amountFrom: z.optional(Sum),
  amountTo: z.optional(Sum),
}

/** `query` matches a part of an email, or the id of a user, an order or a payment at the gateway. */
export const OrderFilter = z.extend(z.pick(TableQuery, { query: true }), filters)
export type OrderFilter = z.infer<typeof OrderFilter>
export const OrderQuery = z.extend(TableQuery, filters)
export type OrderQuery = z.infer<typeof OrderQuery>

export const OrderTotals = z.object({
  orders: z.int(),
  /** Orders that were paid, also those refunded later. */
  paid: z.int(),
  money: z.array(z.object({ currency: z.string(), paid: z.int(), refunded: z.int() })),
})
export type OrderTotals = z.infer<typeof OrderTotals>

export const OrderCard = z.object({
  order: AdminOrder,
  /** `takeable` is what a full refund would withdraw now. */
  grant: z.nullable(
    z.object({
      symbols: z.int(),
      remaining: z.int(),
      takeable: z.int(),
      expiresAt: z.nullable(z.iso.datetime()),
    }),
  ),
  subscription: z.nullable(
    z.object({
      gatewayId: z.string(),
      state: z.string(),
      activeTo: z.nullable(z.iso.datetime()),
      renewAt: z.nullable(z.iso.datetime()),
      card: z.nullable(z.string()),
      endsWithRefund: z.boolean(),
    }),
  ),
  /** Refunds and chargebacks, oldest first. */
  reversals: z.array(
    z.object({
      uid: z.string(),
      kind: knownOr(z.enum(['refund', 'chargeback']), 'refund'),
      gateway: RowGateway,
      amount: z.int(),
      currency: z.string(),
      at: z.iso.datetime(),
    }),
  ),
  /** Its events and problems, oldest first, without secrets and card data. */
  events: z.array(z.extend(PaymentEvent, { body: z.unknown() })),
})
export type OrderCard = z.infer<typeof OrderCard>

export const ordersAdminApi = {
  cancelRenewal: endpoint('POST', '/api/users/:id/cancel-subscription', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Отменить продление подписки человека; оплаченное остаётся до конца периода',
    returns: z.object({ SingleSubscription }),
  }),
  table: endpoint('GET', '/api/orders/table', {
    who: 'admin',
    summary: 'Заказы всех пользователей страницами',
    query: OrderQuery,
    returns: z.extend(tableOf(AdminOrder), { isMore: z.boolean() }),
  }),
  csv: endpoint('GET', '/api/orders/table/csv', {
    who: 'admin',
    summary: 'Заказы отбора файлом CSV, новые сверху',
    proof: 'fresh',
    query: OrderFilter,
    answers: 'file',
  }),
  totals: endpoint('GET', '/api/orders/totals', {
    who: 'admin',
    summary: 'Итоги по отбору: сколько заказов, сколько оплачено и возвращено',
    query: OrderFilter,
    returns: OrderTotals,
  }),
  card: endpoint('GET', '/api/orders/:id/card', {
    who: 'admin',
    summary: 'Заказ со всем, что о нём известно: события оплаты, возвраты, символы',
    returns: OrderCard,
  }),
}
