import { setTimeout as pause } from 'node:timers/promises'
import { and, asc, eq, exists, gt, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, reversals } from '#server/db/schema.ts'
import { runConcurrently } from '#server/lib/run-concurrently.ts'
import type { GatewayTransaction } from '#server/payments/gateway.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { ingest } from './ingest.ts'
import { type OrderRow, tracesOf } from './orders.ts'
import { readReport } from './reports.ts'
import { gatewaysOn, shopOf } from './shops.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Chargebacks are possible for about this long. */
const WATCHED_MS = 120 * DAY_MS
const BATCH = 50
const CONCURRENCY = 2
const PAUSE_MS = 100
const DEADLINE_MS = 60_000

/**
 * Asks about every payment of the last 120 days once a day: chargeback webhooks go only to the URL set in the back
 * office of bePaid, and any webhook may be lost. Progress is stored per order, so the next run continues.
 */
export async function syncReversals(
  deps: PaymentDeps,
  now = new Date(),
  { deadlineMs = DEADLINE_MS, pauseMs = PAUSE_MS } = {},
): Promise<number> {
  if (gatewaysOn(deps).length === 0) return 0
  let checked = 0
  let queue: OrderRow[] = []
  const taken = new Set<string>()
  const nextOrder = oneAtATime(async () => {
    if (queue.length === 0) queue = (await dueOrders(deps, now)).filter(({ id }) => !taken.has(id))
    const order = queue.shift()
    if (order) taken.add(order.id)
    return order
  })
  await runConcurrently({ concurrency: CONCURRENCY, deadlineMs, onBackground: deps.onBackground }, async () => {
    const order = await nextOrder()
    if (!order) return null
    return async () => {
      await syncReversalsOf(deps, order, now)
      checked += 1
      await pause(pauseMs)
    }
  })
  return checked
}

/** Serializes calls: two workers must not fetch the same batch. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const current = last.then(work)
    last = current.catch(() => {})
    return current
  }
}

/**
 * Renewals by bePaid have the tracking id of the subscription's first order, so only that order is asked about; those
 * that we charge are orders of their own.
 */
async function dueOrders(deps: PaymentDeps, now: Date): Promise<OrderRow[]> {
  const { db } = deps
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
  const lastCheck = sql`coalesce(${orders.reversalsCheckedAt}, ${orders.paidAt})`
  return db
    .select()
    .from(orders)
    .where(
      and(
        or(ne(orders.kind, 'renewal'), eq(orders.gateway, 'yookassa')),
        inArray(orders.gateway, gatewaysOn(deps)),
        or(
          and(eq(orders.status, 'paid'), gt(orders.paidAt, since)),
          and(isNotNull(orders.paidAt), isNotNull(orders.subscriptionId), exists(renewed)),
        ),
        lt(lastCheck, new Date(now.getTime() - DAY_MS)),
      ),
    )
    .orderBy(asc(lastCheck))
    .limit(BATCH)
}

/** A failed check is retried in an hour. */
async function syncReversalsOf(deps: PaymentDeps, order: OrderRow, now: Date): Promise<void> {
  let reversalsCheckedAt = now
  try {
    const found = await shopOf(deps, order).gateway.transactionsOf(tracesOf(order))
    for (const transaction of await unprocessed(deps.db, found)) {
      await ingest(deps, { transaction }, { source: 'request', gateway: order.gateway }).catch((error: unknown) => {
        // Stored for the administrator; the other transactions of this order are still applied.
        if (!(error instanceof Rejection)) throw error
      })
    }
  } catch (error) {
    reversalsCheckedAt = new Date(now.getTime() - DAY_MS + HOUR_MS)
    deps.log?.error({ err: error, orderId: order.id }, 'payments: reversal check failed')
  }
  await deps.db.update(orders).set({ reversalsCheckedAt }).where(eq(orders.id, order.id))
}

/** Successful transactions that are neither recorded here nor resolved by an administrator. */
async function unprocessed(db: Db, found: GatewayTransaction[]): Promise<GatewayTransaction[]> {
  const missing = await notRecorded(db, found)
  const keys = missing.map((transaction) => readReport({ transaction }).key)
  const { dedupeKey, processedAt, resolvedAt } = paymentEvents
  const isDone = and(inArray(dedupeKey, keys), or(isNotNull(processedAt), isNotNull(resolvedAt)))
  const rows = await db.select({ key: dedupeKey }).from(paymentEvents).where(isDone)
  const known = new Set(rows.map(({ key }) => key))
  return missing.filter((_, at) => !known.has(keys[at] ?? ''))
}

/** Successful transactions of the gateway that are neither a paid order nor a reversal here. */
export async function notRecorded(db: Db, found: GatewayTransaction[]): Promise<GatewayTransaction[]> {
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
