import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { AwaitedOrder, Order } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { orders, refunds } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { receiptsOf } from './receipt-rows.ts'
import { reviewsOf } from './reviews.ts'

export type OrderRow = typeof orders.$inferSelect

export interface Period {
  subscriptionId: string | null
  endsAt: Date
  renewal: Renewal
}

/** How the plan goes on: `ended` also when it was cancelled. */
export type Renewal = 'renews' | 'unsaved' | 'once' | 'ended'

const MAX_SHOWN_ORDERS = 200

export function listOrders({ db, user }: Ctx): Promise<Order[]> {
  return ordersOf(db, user.id, MAX_SHOWN_ORDERS)
}

/** The user's latest orders, newest first. */
export async function ordersOf(db: Db, userId: string, limit: number): Promise<Order[]> {
  const rows = await db
    .select()
    .from(orders)
    .where(eq(orders.userId, userId))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
  return withDetails(db, rows.map(toOrder))
}

export async function ownOrder({ db, user }: Ctx, id: string): Promise<OrderRow> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.userId, user.id)))
  if (!order) throw notFound('У вас нет платежа с таким номером')
  return order
}

export async function findOrder(db: Db, id: string): Promise<OrderRow> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  if (!order) throw notFound('Такого платежа нет')
  return order
}

export function toOrder(order: OrderRow): Order {
  const { id, kind, status, title, symbols, amount, currency, receiptUrl, createdAt, paidAt } = order
  return {
    id,
    kind,
    status,
    title,
    symbols,
    amount,
    currency,
    receiptUrl,
    receipts: [],
    pendingRefund: null,
    review: null,
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
  }
}

/** Receipts, open refunds and payments that wait for a person are read for a whole list at once. */
export async function withDetails<Shown extends Order>(db: Db, shown: Shown[]): Promise<Shown[]> {
  const ids = shown.map(({ id }) => id)
  if (ids.length === 0) return shown
  const receipts = await receiptsOf(db, ids)
  const open = await db
    .select()
    .from(refunds)
    .where(and(inArray(refunds.orderId, ids), isNull(refunds.endedAt)))
  const pending = new Map(
    open.map(({ orderId, amount, createdAt }) => [orderId, { amount, requestedAt: createdAt.toISOString() }]),
  )
  const reviews = await reviewsOf(db, shown)
  return shown.map((order) => ({
    ...order,
    review: reviews.get(order.id) ?? null,
    receipts: receipts.get(order.id) ?? [],
    pendingRefund: pending.get(order.id) ?? null,
  }))
}

export async function awaitedOrder(db: Db, order: OrderRow, now = new Date()): Promise<AwaitedOrder> {
  const { progress, declineReason, status, redirectUrl, redirectExpiresAt, qr } = order
  const [shown = toOrder(order)] = await withDetails(db, [toOrder(order)])
  // Nobody pays a second time while the first payment waits for a person.
  const isOpen = status === 'pending' && shown.review === null
  const isPayable = isOpen && redirectExpiresAt !== null && redirectExpiresAt > now
  return {
    ...shown,
    progress: status === 'pending' ? progress : null,
    declineReason: status === 'failed' ? declineReason : null,
    payUrl: isPayable && !qr ? redirectUrl : null,
    qr: isPayable && qr ? { text: qr, expiresAt: redirectExpiresAt.toISOString() } : null,
  }
}

/** Stored with the order, so that the page can show whether a payment is under way. */
export async function noteProgress(db: Db, { id }: OrderRow, progress: OrderRow['progress']): Promise<void> {
  await db
    .update(orders)
    .set({ progress })
    .where(and(eq(orders.id, id), isNull(orders.paidAt)))
}

/** The gateway returns it with every transaction and subscription of the order. */
export const trackingIdOf = ({ kind, id }: Pick<OrderRow, 'kind' | 'id'>) => `${kind}:${id}`

export const tracesOf = (order: OrderRow) => ({
  trackingId: trackingIdOf(order),
  token: order.gatewayToken,
  uid: order.gatewayUid,
  createdAt: order.createdAt,
})

export function orderIdIn(trackingId: string | null | undefined): string | null {
  return /^(?:plan|bundle|renewal):([\w-]{1,64})$/.exec(trackingId ?? '')?.[1] ?? null
}

/**
 * Lock order, to avoid deadlocks: event, payment uid, order, subscriptions, balance. The uid is an advisory lock
 * because the order of a payment may not exist yet.
 */
export async function lockPayment(tx: Db, uid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment:${uid}`}, 0))`)
}

export async function lockOrder(tx: Db, id: string | null): Promise<OrderRow | null> {
  if (!id) return null
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update')
  return order ?? null
}

export async function lockOrderOf(tx: Db, uid: string): Promise<OrderRow | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.gatewayUid, uid)).for('update')
  return order ?? null
}

/** Events about subscriptions of one user are applied one after another. */
export async function lockSubscriber(tx: Db, userId: string | null): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`subscriber:${userId}`}, 0))`)
}
