import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { TableQuery, tableOf } from './paging.ts'
import { PaymentEvent } from './payment-events.ts'
import { Order, OrderStatus } from './payments.ts'

/** An order as the owner sees it: whose it is and what the gateway calls it. */
export const AdminOrder = z.extend(Order, {
  /** Null when the payer has deleted the account. */
  userId: z.nullable(z.string()),
  email: z.nullable(z.string()),
  refundedAmount: z.int(),
  gatewayUid: z.nullable(z.string()),
  discountPercent: z.nullable(z.int()),
})
export type AdminOrder = z.infer<typeof AdminOrder>

export const orderSorts = ['createdAt', 'paidAt', 'amount', 'symbols'] as const

/** Minor units. */
const Sum = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000_000))
const filters = {
  status: z.optional(OrderStatus),
  kind: z.optional(Order.shape.kind),
  userId: z.optional(z.string().check(z.maxLength(100))),
  planId: z.optional(z.string().check(z.maxLength(100))),
  bundleId: z.optional(z.string().check(z.maxLength(100))),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  amountFrom: z.optional(Sum),
  amountTo: z.optional(Sum),
}

/** What is looked for: an e-mail or a part of it, a user's number, an order's, or a payment's at the gateway. */
export const OrderFilter = z.extend(z.pick(TableQuery, { query: true }), filters)
export type OrderFilter = z.infer<typeof OrderFilter>
export const OrderQuery = z.extend(TableQuery, filters)
export type OrderQuery = z.infer<typeof OrderQuery>

export const OrderTotals = z.object({
  orders: z.int(),
  /** Paid at some time, also when the money went back later. */
  paid: z.int(),
  money: z.array(z.object({ currency: z.string(), paid: z.int(), refunded: z.int() })),
})
export type OrderTotals = z.infer<typeof OrderTotals>

export const OrderCard = z.object({
  order: AdminOrder,
  /** The symbols it gave. `takeable` is what a full refund would take back now. */
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
      /** True if a full refund of this order ends it. */
      endsWithRefund: z.boolean(),
    }),
  ),
  /** Money that went back, oldest first. */
  reversals: z.array(
    z.object({
      uid: z.string(),
      kind: z.enum(['refund', 'chargeback']),
      amount: z.int(),
      currency: z.string(),
      at: z.iso.datetime(),
    }),
  ),
  /** What the gateway said of it, oldest first, without secrets and data of the card. */
  events: z.array(z.extend(PaymentEvent, { body: z.unknown() })),
})
export type OrderCard = z.infer<typeof OrderCard>

/** The whole of what fits the filter, newest first; a file, so it stands beside the table of calls. */
export const ORDERS_CSV = '/api/orders/table/csv'

export const ordersAdminApi = {
  table: endpoint({
    method: 'GET',
    path: '/api/orders/table',
    who: 'admin',
    summary: 'Заказы всех пользователей страницами',
    query: OrderQuery,
    returns: z.extend(tableOf(AdminOrder), { isMore: z.boolean() }),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/api/orders/totals',
    who: 'admin',
    summary: 'Итоги по отбору: сколько заказов, сколько оплачено и возвращено',
    query: OrderFilter,
    returns: OrderTotals,
  }),
  card: endpoint({
    method: 'GET',
    path: '/api/orders/:id/card',
    who: 'admin',
    summary: 'Заказ со всем, что о нём известно: события оплаты, возвраты, символы',
    returns: OrderCard,
  }),
}
