import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, orders, plans, planVersions, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { GatewayError, type GatewaySubscription } from '#server/payments/gateway.ts'
import { cancelAtGateway } from './cancel.ts'
import { type PaymentDeps, publishProfile, webhookUrl } from './deps.ts'
import { emailNextPlanFailed } from './emails.ts'
import { ingest } from './ingest.ts'
import { type OrderRow, trackingIdOf } from './orders.ts'
import { requireBepaid } from './shops.ts'
import { FIRST_CHECK_MS, isEnded, isLive, planChangeTime, type SubscriptionRow } from './subscription-state.ts'
import { expireOrder } from './subscriptions.ts'

/** A scheduled change of plan: the old subscription is ended before its next charge, the new one begins at its end. */

export const isDueToChange = (row: SubscriptionRow, now: Date) =>
  row.nextPlanVersionId !== null && row.renewAt !== null && isLive(row) && planChangeTime(row.renewAt) <= now

/** The end is stored before the request, so that after a crash `reconcilePending` sends it like any cancellation. */
export async function endForNextPlan(deps: PaymentDeps, row: SubscriptionRow, now: Date): Promise<void> {
  const [ending] = await deps.db
    .update(subscriptions)
    .set({ cancelRequestedAt: now })
    .where(
      and(
        eq(subscriptions.id, row.id),
        eq(subscriptions.nextPlanVersionId, row.nextPlanVersionId ?? ''),
        liveSubscription(),
      ),
    )
    .returning()
  if (ending) await cancelAtGateway(deps, ending, now)
}

/**
 * Charges the card of the old subscription for the new plan. The order is stored before the request; after a crash or a
 * silent gateway its subscription is looked for by the tracking id, so that nothing is charged twice.
 */
export async function beginNextPlan(deps: PaymentDeps, row: SubscriptionRow, now: Date): Promise<void> {
  const { gateway } = requireBepaid(deps)
  if (row.activeTo && row.activeTo > now) return setCheck(deps, row, row.activeTo)
  const opened = await openNextOrder(deps.db, row, now)
  if (!opened) return setCheck(deps, row, null)
  const { order, isNew } = opened
  const openedAt = performance.now()
  const known = isNew ? null : await findByTracking(deps, order)
  if (known) return finish(deps, row, order, known)
  const card = (await gateway.subscription(row.gatewayId)) ?? null
  const cardToken = card?.card?.token
  if (!cardToken) return giveUp(deps, row, order, 'no-method')
  // If this process was frozen for long, another one may have taken over and charged meanwhile.
  if (performance.now() - openedAt > STALE_MS) throw new Error('payments: next plan was opened too long ago')
  try {
    const { title, currency, amount: price } = order
    const intervalDays = opened.intervalDays
    const reported = await gateway.subscribeWithCard({
      trackingId: trackingIdOf(order),
      title,
      currency,
      price,
      intervalDays,
      cardToken,
      customerId: card.customer?.id ?? null,
      notificationUrl: webhookUrl(deps),
    })
    await finish(deps, row, order, reported)
  } catch (error) {
    if (error instanceof GatewayError && error.outcome === 'refused') return giveUp(deps, row, order, 'shop')
    throw error
  }
}

/** Null when the change was taken back meanwhile. */
async function openNextOrder(db: Db, { id }: SubscriptionRow, now: Date) {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row?.userId || !row.nextPlanVersionId) return null
    const [version] = await tx
      .select({ name: plans.name, terms: planVersions })
      .from(planVersions)
      .innerJoin(plans, eq(plans.id, planVersions.planId))
      .where(eq(planVersions.id, row.nextPlanVersionId))
    if (!version) return null
    const { price: amount, currency, symbols, intervalDays, id: planVersionId } = version.terms
    const mine = and(eq(orders.replacesId, id), eq(orders.planVersionId, planVersionId), isNull(orders.redirectUrl))
    const [begun] = await tx.select().from(orders).where(mine).orderBy(desc(orders.createdAt)).limit(1)
    if (begun) return { order: begun, isNew: false, intervalDays }
    await closeOpenPage(tx, row.userId, planVersionId)
    const [order] = await tx
      .insert(orders)
      .values({
        id: newId(),
        userId: row.userId,
        gateway: row.gateway,
        kind: 'plan',
        planVersionId,
        title: `Тариф «${version.name}»`,
        symbols,
        amount,
        currency,
        replacesId: id,
        createdAt: now,
        checkAt: new Date(now.getTime() + FIRST_CHECK_MS),
      })
      .returning()
    return order ? { order, isNew: true, intervalDays } : null
  })
}

/** Closes an unpaid pay page of the same plan, because the scheduled payment replaces it. */
async function closeOpenPage(tx: Db, userId: string, planVersionId: string): Promise<void> {
  const open = and(eq(orders.userId, userId), eq(orders.planVersionId, planVersionId), eq(orders.status, 'pending'))
  const pages = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(open, eq(orders.kind, 'plan')))
  for (const { id } of pages) await expireOrder(tx, id)
}

/** Below the lease of a check (five minutes), after which another process takes over. */
const STALE_MS = 4 * 60_000
const MAX_PAGES = 10_000

/** The gateway searches payments by tracking id, but lists subscriptions only page by page. */
async function findByTracking(deps: PaymentDeps, order: OrderRow): Promise<GatewaySubscription | null> {
  const { gateway } = requireBepaid(deps)
  const trackingId = trackingIdOf(order)
  for (let page = 1; page <= MAX_PAGES; page++) {
    const listed = await gateway.subscriptionsPage(page)
    if (listed.length === 0) return null
    const found = listed.find(({ tracking_id }) => tracking_id === trackingId)
    if (found) return found
  }
  return null
}

async function finish(
  deps: PaymentDeps,
  row: SubscriptionRow,
  order: OrderRow,
  reported: GatewaySubscription,
): Promise<void> {
  await ingest(deps, reported, { source: 'request', gateway: 'bepaid' })
  const [after] = await deps.db
    .select({ id: subscriptions.id, activeTo: subscriptions.activeTo, state: subscriptions.state })
    .from(subscriptions)
    .where(eq(subscriptions.gatewayId, reported.id))
  if (!after?.activeTo || isEnded(after.state)) return giveUp(deps, row, order, null)
  await deps.db
    .update(subscriptions)
    .set({ nextPlanVersionId: null, replacedBy: after.id, checkAt: null })
    .where(eq(subscriptions.id, row.id))
  publishProfile(deps, row.userId)
}

/** No card, or it was refused: the person gets an email and can choose again. */
async function giveUp(
  deps: PaymentDeps,
  row: SubscriptionRow,
  order: OrderRow,
  reason: 'no-method' | 'shop' | null,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await tx
      .update(orders)
      .set({ status: 'failed', checkAt: null })
      .where(and(eq(orders.id, order.id), isNull(orders.paidAt)))
    await tx.update(subscriptions).set({ nextPlanVersionId: null, checkAt: null }).where(eq(subscriptions.id, row.id))
    await emailNextPlanFailed(tx, deps, order, reason)
    publishProfile(deps, row.userId)
  })
}

async function setCheck({ db }: PaymentDeps, { id }: SubscriptionRow, checkAt: Date | null): Promise<void> {
  await db.update(subscriptions).set({ checkAt }).where(eq(subscriptions.id, id))
}
