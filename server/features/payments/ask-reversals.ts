import { setTimeout as pause } from 'node:timers/promises'
import { and, asc, eq, exists, gt, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, reversals } from '#server/db/schema.ts'
import type { GatewayTransaction } from '#server/payments/gateway.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { readFacts } from './notice-facts.ts'
import { type OrderRow, trackingIdOf } from './orders.ts'
import { Rejection } from './rejections.ts'
import { runConcurrently } from './run-concurrently.ts'
import { applyNotice } from './webhook.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Banks let a payer dispute a charge for about so long. */
const WATCHED_MS = 120 * DAY_MS
const BATCH = 50
const CONCURRENCY = 2
const PAUSE_MS = 100
const DEADLINE_MS = 60_000

/**
 * Asks about every payment of the last months once a day: a chargeback is sent to the address in the back office only,
 * and any notice may get lost. A run does a part; what has been asked is noted order by order, so the next one goes on.
 */
export async function askAboutReversals(
  deps: PaymentDeps,
  now = new Date(),
  { deadlineMs = DEADLINE_MS, pauseMs = PAUSE_MS } = {},
): Promise<number> {
  if (!deps.shop) return 0
  let asked = 0
  let queue: OrderRow[] = []
  const taken = new Set<string>()
  const more = inTurn(async () => {
    if (queue.length === 0) queue = (await dueOrders(deps.db, now)).filter(({ id }) => !taken.has(id))
    const order = queue.shift()
    if (order) taken.add(order.id)
    return order
  })
  await runConcurrently({ concurrency: CONCURRENCY, deadlineMs, onBackground: deps.onBackground }, async () => {
    const order = await more()
    if (!order) return null
    return async () => {
      await askAbout(deps, order, now)
      asked += 1
      await pause(pauseMs)
    }
  })
  return asked
}

/** Calls of it wait for each other: two workers must not fetch the same batch. */
function inTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}

/** Renewals go by the name of the order that began their subscription. */
async function dueOrders(db: Db, now: Date): Promise<OrderRow[]> {
  const renewals = alias(orders, 'renewals')
  const since = new Date(now.getTime() - WATCHED_MS)
  const renewed = db
    .select({ one: sql`1` })
    .from(renewals)
    .where(
      and(
        eq(renewals.subscriptionId, orders.subscriptionId),
        eq(renewals.kind, 'renewal'),
        eq(renewals.status, 'paid'),
        gt(renewals.paidAt, since),
      ),
    )
  const lastAsked = sql`coalesce(${orders.reversalsCheckedAt}, ${orders.paidAt})`
  return db
    .select()
    .from(orders)
    .where(
      and(
        ne(orders.kind, 'renewal'),
        or(
          and(eq(orders.status, 'paid'), gt(orders.paidAt, since)),
          and(isNotNull(orders.paidAt), isNotNull(orders.subscriptionId), exists(renewed)),
        ),
        lt(lastAsked, new Date(now.getTime() - DAY_MS)),
      ),
    )
    .orderBy(asc(lastAsked))
    .limit(BATCH)
}

/** One that fails is tried again in an hour. */
async function askAbout(deps: PaymentDeps, order: OrderRow, now: Date): Promise<void> {
  let reversalsCheckedAt = now
  try {
    const found = await openedShop(deps).gateway.transactionsByTracking(trackingIdOf(order))
    for (const transaction of await unknownOf(deps.db, found)) {
      await applyNotice(deps, { transaction }).catch((error: unknown) => {
        // Kept for the administrator; the others of this order still count.
        if (!(error instanceof Rejection)) throw error
      })
    }
  } catch (error) {
    reversalsCheckedAt = new Date(now.getTime() - DAY_MS + HOUR_MS)
    deps.log?.error({ err: error, orderId: order.id }, 'an order could not be asked about for money that went back')
  }
  await deps.db.update(orders).set({ reversalsCheckedAt }).where(eq(orders.id, order.id))
}

/** Money that moved and that we have neither taken note of nor judged yet. */
async function unknownOf(db: Db, found: GatewayTransaction[]): Promise<GatewayTransaction[]> {
  const missing = await notTaken(db, found)
  const keys = missing.map((transaction) => readFacts({ transaction }).key)
  const { dedupeKey, processedAt, resolvedAt } = paymentEvents
  const judged = and(inArray(dedupeKey, keys), or(isNotNull(processedAt), isNotNull(resolvedAt)))
  const told = await db.select({ key: dedupeKey }).from(paymentEvents).where(judged)
  const known = new Set(told.map(({ key }) => key))
  return missing.filter((_, at) => !known.has(keys[at] ?? ''))
}

/** Money that moved at the gateway and is neither a paid order nor a reversal here. */
export async function notTaken(db: Db, found: GatewayTransaction[]): Promise<GatewayTransaction[]> {
  const moved = found.filter(({ status }) => status === 'successful')
  const uids = moved.map(({ uid }) => uid)
  const paid = await db
    .select({ uid: orders.gatewayUid })
    .from(orders)
    .where(and(inArray(orders.gatewayUid, uids), isNotNull(orders.paidAt)))
  const back = await db.select({ uid: reversals.uid }).from(reversals).where(inArray(reversals.uid, uids))
  const known = new Set([...paid, ...back].map(({ uid }) => uid))
  return moved.filter(({ uid }) => !known.has(uid))
}
