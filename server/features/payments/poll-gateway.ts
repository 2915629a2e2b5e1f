import { and, asc, eq, gt, inArray, isNull, lte, ne, not, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { runConcurrently } from '#server/lib/run-concurrently.ts'
import { cancelAtGateway } from './cancel.ts'
import type { PaymentDeps } from './deps.ts'
import { emailAboutSubscription } from './emails.ts'
import { syncOrder, syncSubscription } from './gateway-sync.ts'
import { beginNextPlan, endForNextPlan, isDueToChange } from './next-plan.ts'
import type { OrderRow } from './orders.ts'
import { renewOwn } from './own-renewals.ts'
import { checkRefunds } from './pending-refunds.ts'
import { checkReceipts } from './receipts.ts'
import { expireMethods } from './saved-methods.ts'
import { gatewaysOn } from './shops.ts'
import { nextCheck, nextRenewalCheck, nextRetry, type SubscriptionRow } from './subscription-state.ts'
import { expireOrder } from './subscriptions.ts'
import { syncReversals } from './sync-reversals.ts'

const CONCURRENCY = 5
const DEADLINE_MS = 60_000
/** A check claimed by a crashed process is claimed again after this time. */
const LEASE_MS = 5 * 60_000
const HOUR_MS = 3_600_000
/** An order whose checks failed for so long is closed; a payment that comes later still counts. */
const GIVE_UP_MS = 7 * 24 * HOUR_MS
/** Bounds one run; the rest is due in the next one. */
const MAX_CHECKS = 5000

/**
 * Makes up for lost webhooks: asks about unpaid orders and subscriptions due for renewal, sends cancellations that the
 * gateway has not confirmed, and carries out scheduled changes of plan. Safe to run at any time, also twice at once.
 */
export async function reconcilePending(
  deps: PaymentDeps,
  now = new Date(),
  { deadlineMs = DEADLINE_MS, concurrency = CONCURRENCY } = {},
): Promise<number> {
  if (gatewaysOn(deps).length === 0) return 0
  await cancelOfDeletedAccounts(deps, now)
  await attempt(deps, 'refunds', () => checkRefunds(deps, now))
  await attempt(deps, 'receipts', () => checkReceipts(deps, now))
  const claimedIds = new Set<string>()
  let turn = 0
  const claims = [
    async () => {
      const row = await claimOrder(deps, now, claimedIds)
      return row && (() => attempt(deps, row.id, () => checkPendingOrder(deps, row, now)))
    },
    async () => {
      const row = await claimSubscription(deps, now, claimedIds)
      return row && (() => attempt(deps, row.id, () => checkSubscription(deps, row, now)))
    },
  ]
  await runConcurrently({ concurrency, deadlineMs, onBackground: deps.onBackground }, async () => {
    if (claimedIds.size >= MAX_CHECKS) return null
    // Alternates, so that a long queue of one kind does not delay the other.
    const inTurn = turn++ % 2 === 0 ? claims : claims.toReversed()
    for (const claim of inTurn) {
      const work = await claim()
      if (work) return work
    }
    return null
  })
  return claimedIds.size
}

/** Claims one due order by moving its `checkAt`: no other process asks about it, and a crash only delays it. */
async function claimOrder(deps: PaymentDeps, now: Date, claimedIds: Set<string>): Promise<OrderRow | null> {
  const { db } = deps
  const isDue = and(isNull(orders.paidAt), lte(orders.checkAt, now), inArray(orders.gateway, gatewaysOn(deps)))
  const due = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isDue, notInArray(orders.id, [...claimedIds])))
    .orderBy(asc(orders.checkAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(orders)
    .set({ checkAt: leaseFrom(now), checks: sql`${orders.checks} + 1` })
    .where(inArray(orders.id, due))
    .returning()
  if (row) claimedIds.add(row.id)
  return row ?? null
}

async function claimSubscription(
  deps: PaymentDeps,
  now: Date,
  claimedIds: Set<string>,
): Promise<SubscriptionRow | null> {
  const { db } = deps
  const isDue = and(lte(subscriptions.checkAt, now), inArray(subscriptions.gateway, gatewaysOn(deps)))
  const due = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(isDue, notInArray(subscriptions.id, [...claimedIds])))
    .orderBy(asc(subscriptions.checkAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(subscriptions)
    .set({ checkAt: leaseFrom(now) })
    .where(inArray(subscriptions.id, due))
    .returning()
  if (row) claimedIds.add(row.id)
  return row ?? null
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** The next check is set only if `checkAt` is still the one of our claim. */
async function checkPendingOrder(deps: PaymentDeps, order: OrderRow, now: Date): Promise<void> {
  const isOurs = and(eq(orders.id, order.id), isNull(orders.paidAt), eq(orders.checkAt, leaseFrom(now)))
  try {
    await syncOrder(deps, order)
  } catch (error) {
    const failedChecks = order.failedChecks + 1
    const tooOld = now.getTime() - order.createdAt.getTime() > GIVE_UP_MS
    if (tooOld) await deps.db.transaction((tx) => expireOrder(tx, order.id))
    else
      await deps.db
        .update(orders)
        .set({ failedChecks, checkAt: nextRetry(now, order.failedChecks) })
        .where(isOurs)
    throw error
  }
  const [current] = await deps.db.select().from(orders).where(eq(orders.id, order.id))
  const checkAt = nextCheck(current ?? order, now)
  await deps.db.update(orders).set({ checkAt, failedChecks: 0 }).where(isOurs)
  if (!checkAt) await deps.db.transaction((tx) => expireOrder(tx, order.id))
}

async function checkSubscription(deps: PaymentDeps, row: SubscriptionRow, now: Date): Promise<void> {
  const isOurs = and(eq(subscriptions.id, row.id), eq(subscriptions.checkAt, leaseFrom(now)))
  try {
    if (row.gateway === 'yookassa') return await renewOwn(deps, row, now)
    if (row.nextPlanVersionId && row.canceledAt) await beginNextPlan(deps, row, now)
    else if (isDueToChange(row, now)) await endForNextPlan(deps, row, now)
    else if (row.cancelRequestedAt) await cancelAtGateway(deps, row, now)
    else await syncSubscription(deps, row, now)
  } catch (error) {
    const failedChecks = row.failedChecks + 1
    await deps.db
      .update(subscriptions)
      .set({ failedChecks, checkAt: nextRetry(now, row.failedChecks) })
      .where(isOurs)
    throw error
  }
  const checkAt = row.renewAt ? nextRenewalCheck(row.renewAt, now) : new Date(now.getTime() + HOUR_MS)
  await deps.db.update(subscriptions).set({ checkAt }).where(isOurs)
  await deps.db.update(subscriptions).set({ failedChecks: 0 }).where(eq(subscriptions.id, row.id))
}

async function cancelOfDeletedAccounts({ db }: PaymentDeps, now: Date): Promise<void> {
  await db
    .update(subscriptions)
    .set({ cancelRequestedAt: now, checkAt: now })
    .where(and(isNull(subscriptions.userId), liveSubscription()))
}

/** One failed check does not stop the others. */
async function attempt(deps: PaymentDeps, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    deps.log?.error({ err: error, id }, 'payments: check failed')
  }
}

/** A silent gateway takes 25 s per request; a run starts nothing new after a minute. */
export const paymentJobs = (deps: PaymentDeps): Job[] => [
  { name: 'reconcile-pending', cron: '* * * * *', run: () => reconcilePending(deps), limitSeconds: 180 },
  { name: 'sync-reversals', cron: '*/5 * * * *', run: () => syncReversals(deps), limitSeconds: 180 },
  { name: 'expire-methods', cron: '*/10 * * * *', run: () => expireMethods(deps), limitSeconds: 120 },
  { name: 'remind-renewals', cron: '23 * * * *', run: () => remindRenewals(deps), limitSeconds: 600 },
]

/** Plans that nobody cancelled and that end without a renewal, unless the payer has a later one. */
function markEnding(tx: Db, now: Date): Promise<{ id: string }[]> {
  const { activeTo, remindedFor, state, cancelRequestedAt, userId } = subscriptions
  const later = alias(subscriptions, 'later')
  const isFollowed = sql`exists (${tx
    .select({ id: later.id })
    .from(later)
    .where(and(eq(later.userId, userId), gt(later.activeTo, activeTo), isNull(later.revokedAt)))})`
  return tx
    .update(subscriptions)
    .set({ remindedFor: sql`${activeTo}` })
    .where(
      and(
        inArray(state, ['unsaved', 'once']),
        isNull(cancelRequestedAt),
        gt(activeTo, now),
        lte(activeTo, new Date(now.getTime() + REMIND_AHEAD_MS)),
        or(isNull(remindedFor), ne(remindedFor, activeTo)),
        not(isFollowed),
      ),
    )
    .returning({ id: subscriptions.id })
}

const REMIND_AHEAD_MS = 3 * 24 * 3_600_000

/** Emails a reminder three days before a renewal or an end without one, once: the statement that finds it also marks it. */
export async function remindRenewals(deps: PaymentDeps, now = new Date()): Promise<number> {
  const { renewAt, remindedFor } = subscriptions
  return deps.db.transaction(async (tx) => {
    const due = await tx
      .update(subscriptions)
      .set({ remindedFor: renewAt })
      .where(
        and(
          liveSubscription(),
          gt(renewAt, now),
          lte(renewAt, new Date(now.getTime() + REMIND_AHEAD_MS)),
          or(isNull(remindedFor), ne(remindedFor, renewAt)),
        ),
      )
      .returning({ id: subscriptions.id })
    for (const { id } of due) await emailAboutSubscription(tx, deps, id, 'renewal-soon')
    const ending = await markEnding(tx, now)
    for (const { id } of ending) await emailAboutSubscription(tx, deps, id, 'end-soon')
    return due.length + ending.length
  })
}
