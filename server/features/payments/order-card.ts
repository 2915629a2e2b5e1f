import { and, arrayOverlaps, asc, eq, gt, ne, or, sql } from 'drizzle-orm'
import type { OrderCard } from '#contract/orders-admin.ts'
import type { Db } from '#server/db/client.ts'
import { balances, grants, orders, paymentEvents, reversals, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { maskBody } from './mask-body.ts'
import { anyOrder, type OrderRow, trackingIdOf } from './orders.ts'
import { promptTableOrders } from './orders-table.ts'
import { shownEvents } from './payment-events.ts'

/** Everything that is known of one order. */
export async function orderCard({ db }: Ctx, id: string): Promise<OrderCard> {
  const row = await anyOrder(db, id)
  const [order] = await promptTableOrders(db, [row])
  if (!order) throw notFound('Такого платежа нет')
  return {
    order,
    grant: await grantOf(db, row),
    subscription: await subscriptionOf(db, row),
    reversals: await reversalsOf(db, row),
    events: await eventsOf(db, row),
  }
}

async function grantOf(db: Db, { id }: OrderRow): Promise<OrderCard['grant']> {
  const [found] = await db
    .select({ grant: grants, balance: balances })
    .from(grants)
    .innerJoin(balances, eq(balances.userId, grants.userId))
    .where(eq(grants.orderId, id))
  if (!found) return null
  const { symbols, remaining, expiresAt } = found.grant
  // Promised to answers that are running; they lean on other symbols first.
  const promised = Math.max(0, found.balance.held - (found.balance.total - remaining))
  return { symbols, remaining, takeable: remaining - promised, expiresAt: expiresAt?.toISOString() ?? null }
}

async function subscriptionOf(db: Db, { subscriptionId, id, paidAt }: OrderRow): Promise<OrderCard['subscription']> {
  if (!subscriptionId) return null
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId))
  if (!row) return null
  const isLater = and(
    eq(orders.subscriptionId, subscriptionId),
    ne(orders.id, id),
    gt(orders.paidAt, paidAt ?? new Date()),
  )
  return {
    gatewayId: row.gatewayId,
    state: row.state,
    activeTo: row.activeTo?.toISOString() ?? null,
    renewAt: row.renewAt?.toISOString() ?? null,
    card: row.cardLast4 && [row.cardBrand, `•••• ${row.cardLast4}`].filter(Boolean).join(' '),
    endsWithRefund: row.canceledAt === null && (await db.$count(orders, isLater)) === 0,
  }
}

async function reversalsOf(db: Db, { gatewayUid }: OrderRow): Promise<OrderCard['reversals']> {
  if (!gatewayUid) return []
  const rows = await db
    .select()
    .from(reversals)
    .where(eq(reversals.parentUid, gatewayUid))
    .orderBy(asc(reversals.createdAt))
  return rows.map(({ uid, kind, amount, currency, createdAt }) => {
    return { uid, kind, amount, currency, at: createdAt.toISOString() }
  })
}

const EVENTS = 50

/** A plan's name goes on with all its renewals: what tells of another order's payment is that order's. */
async function eventsOf(db: Db, order: OrderRow): Promise<OrderCard['events']> {
  const own = [order.gatewayUid, order.gatewayToken].filter((name) => name !== null)
  const ofAnother = sql`exists (select 1 from ${orders} o where o.gateway_uid = any(${paymentEvents.refs}) and o.id <> ${order.id})`
  const rows = await db
    .select()
    .from(paymentEvents)
    .where(
      or(
        own.length > 0 ? arrayOverlaps(paymentEvents.refs, own) : undefined,
        and(arrayOverlaps(paymentEvents.refs, [trackingIdOf(order)]), sql`not ${ofAnother}`),
      ),
    )
    .orderBy(asc(paymentEvents.receivedAt), asc(paymentEvents.id))
    .limit(EVENTS)
  const events = await shownEvents(db, rows)
  return events.map((event, at) => ({ ...event, body: maskBody(rows[at]?.body) }))
}
