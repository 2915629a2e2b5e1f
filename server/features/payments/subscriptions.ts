import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { GatewaySubscription } from '#server/payments/gateway.ts'
import { releaseDiscount } from '../promocodes/discount.ts'
import { applyPayment, endByTerms } from './apply-payment.ts'
import { type PaymentDeps, publishProfile, reject } from './deps.ts'
import { emailAboutSubscription } from './emails.ts'
import { lockOrder, lockPayment, lockSubscriber, type OrderRow, orderIdIn, type Period } from './orders.ts'
import { endProblemsOf } from './problems.ts'
import { isEnded, isLive, isNewer, nextSubscription, type SubscriptionRow, willBeLive } from './subscription-state.ts'
import type { Payment } from './transactions.ts'

/** False when it is not one of ours. */
export async function applySubscription(
  tx: Db,
  deps: PaymentDeps,
  reported: GatewaySubscription,
  payment: Payment | null,
): Promise<boolean> {
  if (payment) await lockPayment(tx, payment.uid)
  if (reported.plan.test && !deps.shops.bepaid?.test) throw reject('тестовая подписка не принимается')
  const base = await lockOrder(tx, orderIdIn(reported.tracking_id) ?? (await firstOrderOf(tx, reported.id)))
  if (!base?.planVersionId) return false
  await lockSubscriber(tx, base.userId)
  const row = await restoreFromMissing(tx, await findOrInsert(tx, base, base.planVersionId, reported))
  const { id } = row
  const counts = (known: SubscriptionRow) => known.missingSince !== null || isNewer(known, reported)
  if (counts(row) && !isLive(row) && willBeLive(row, reported)) await cancelOthers(tx, row, base.replacesId)
  if (payment) await applyPayment(tx, deps, base, payment, await periodOf(tx, row, base, reported, payment))
  // Read again: the payment may have changed the row.
  const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  if (known && counts(known)) await saveTransition(tx, deps, known, reported)
  if (!base.subscriptionId || base.subscriptionId === id) await closeUnpaid(tx, base, reported.state)
  return true
}

async function firstOrderOf(tx: Db, gatewayId: string): Promise<string | null> {
  const [order] = await tx
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(subscriptions, eq(subscriptions.id, orders.subscriptionId))
    .where(and(eq(subscriptions.gatewayId, gatewayId), eq(orders.kind, 'plan')))
    .limit(1)
  return order?.id ?? null
}

/** The row is missing when the gateway's response to our request to create the subscription was lost. */
async function findOrInsert(tx: Db, base: OrderRow, planVersionId: string, reported: GatewaySubscription) {
  await tx
    .insert(subscriptions)
    .values({ id: newId(), gatewayId: reported.id, userId: base.userId, planVersionId, state: 'redirecting' })
    .onConflictDoNothing()
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.gatewayId, reported.id)).for('update')
  if (!row) throw new Error(`No row for subscription ${reported.id}`)
  return row
}

/**
 * The gateway had denied this subscription and reports it again. If the user has bought another one since, this one is
 * cancelled, so that only one is charged.
 */
async function restoreFromMissing(tx: Db, row: SubscriptionRow): Promise<SubscriptionRow> {
  if (!row.missingSince) return row
  await endProblemsOf(tx, row.id)
  if (!isEnded(row.state) || row.cancelRequestedAt || !row.userId) return row
  const others = and(eq(subscriptions.userId, row.userId), ne(subscriptions.id, row.id), liveSubscription())
  if ((await tx.$count(subscriptions, others)) === 0) return row
  const cancelRequestedAt = new Date()
  await tx.update(subscriptions).set({ cancelRequestedAt }).where(eq(subscriptions.id, row.id))
  return { ...row, cancelRequestedAt }
}

async function periodOf(
  tx: Db,
  row: SubscriptionRow,
  base: OrderRow,
  reported: GatewaySubscription,
  { uid, paidAt }: Payment,
): Promise<Period> {
  const isLast = reported.last_transaction?.uid === uid
  const endsAt = isLast && reported.active_to ? reported.active_to : await endByTerms(tx, base, paidAt)
  const isEnding = row.cancelRequestedAt !== null || isEnded(reported.state)
  return { subscriptionId: row.id, endsAt, renewal: isEnding ? 'ended' : 'renews' }
}

async function saveTransition(
  tx: Db,
  deps: PaymentDeps,
  known: SubscriptionRow,
  reported: GatewaySubscription,
): Promise<void> {
  const { row, email } = nextSubscription(known, reported, new Date())
  await tx.update(subscriptions).set(row).where(eq(subscriptions.id, known.id))
  // For the owner, a subscription replaced by another plan is not cancelled, so no email is sent.
  const isChange = email === 'canceled' && (known.replacedBy !== null || known.nextPlanVersionId !== null)
  if (email && !isChange) await emailAboutSubscription(tx, deps, known.id, email)
  if (row.state !== known.state) publishProfile(deps, known.userId)
}

/** Another subscription is paid, for a change of plan or in another tab: the older ones are not charged again. */
export async function cancelOthers(tx: Db, { userId, id }: SubscriptionRow, replacesId: string | null): Promise<void> {
  if (!userId) return
  const now = new Date()
  const replacedBy = sql`case when ${subscriptions.id} = ${replacesId} then ${id} else ${subscriptions.replacedBy} end`
  await tx
    .update(subscriptions)
    .set({ cancelRequestedAt: now, checkAt: now, nextPlanVersionId: null, replacedBy })
    .where(and(eq(subscriptions.userId, userId), ne(subscriptions.id, id), liveSubscription()))
}

/** The first payment was declined or never made. */
async function closeUnpaid(tx: Db, { id }: OrderRow, state: string): Promise<void> {
  if (state === 'expired') await expireOrder(tx, id)
  if (state !== 'failed' && state !== 'error') return
  await tx
    .update(orders)
    .set({ status: 'failed' })
    .where(and(eq(orders.id, id), isNull(orders.paidAt)))
}

/** Closes an unpaid order and frees its promo code. A declined order stays declined. */
export async function expireOrder(tx: Db, id: string): Promise<void> {
  const [closed] = await tx
    .update(orders)
    .set({ status: sql`case ${orders.status} when 'pending' then 'expired' else ${orders.status} end`, checkAt: null })
    .where(and(eq(orders.id, id), isNull(orders.paidAt)))
    .returning({ promoId: orders.promoId })
  if (closed?.promoId) await releaseDiscount(tx, id)
}
