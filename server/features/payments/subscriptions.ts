import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, orders, planVersions, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { GatewaySubscription } from '#server/payments/gateway.ts'
import { releaseDiscount } from '../billing/promo-discount.ts'
import { nextRenewalCheck } from './check-times.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { emailAboutSubscription } from './emails.ts'
import { noteFound } from './missing.ts'
import { lockOrder, type OrderRow, orderIdIn } from './orders.ts'
import { refuse } from './rejections.ts'
import { cyclesOf, isEnded, isFailing, isNewer } from './subscription-state.ts'
import { type Payment, type Period, takePayment } from './take-payment.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

const DAY_MS = 86_400_000

/**
 * Applies what the gateway says of a subscription, and the payment that it speaks of; false when it is none of ours.
 * The caller holds the lock of the payment's number.
 */
export async function applySubscription(
  tx: Db,
  deps: PaymentDeps,
  told: GatewaySubscription,
  payment: Payment | null,
): Promise<boolean> {
  if (told.plan.test && !deps.shop?.test) throw refuse('тестовая подписка не принимается')
  const base = await lockOrder(tx, orderIdIn(told.tracking_id) ?? (await firstOrderOf(tx, told.id)))
  if (!base?.planVersionId) return false
  await lockSubscriber(tx, base.userId)
  const row = await backFromMissing(tx, await rowOf(tx, base, base.planVersionId, told))
  const { id } = row
  const counts = (known: SubscriptionRow) => known.missingSince !== null || isNewer(known, told)
  if (counts(row) && !isLive(row) && willLive(row, told)) await supersede(tx, row)
  if (payment) await takePayment(tx, deps, base, payment, await periodOf(tx, id, base, told, payment))
  const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  if (known && counts(known)) await advance(tx, deps, known, told)
  if (!base.subscriptionId || base.subscriptionId === id) await closeUnpaid(tx, base, told.state)
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

/** Also makes the row: the gateway may have answered our request to open the subscription too late for us to hear. */
async function rowOf(tx: Db, base: OrderRow, planVersionId: string, told: GatewaySubscription) {
  await tx
    .insert(subscriptions)
    .values({ id: newId(), gatewayId: told.id, userId: base.userId, planVersionId, state: 'redirecting' })
    .onConflictDoNothing()
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.gatewayId, told.id)).for('update')
  if (!row) throw new Error(`No row for subscription ${told.id}`)
  return row
}

/**
 * A subscription that the gateway had denied lives on by what the gateway says now. When its owner has bought another
 * one meanwhile, this one is not charged again.
 */
async function backFromMissing(tx: Db, row: SubscriptionRow): Promise<SubscriptionRow> {
  if (!row.missingSince) return row
  await noteFound(tx, row)
  if (!isEnded(row.state) || row.cancelRequestedAt || !row.userId) return row
  const others = and(eq(subscriptions.userId, row.userId), ne(subscriptions.id, row.id), liveSubscription())
  if ((await tx.$count(subscriptions, others)) === 0) return row
  const cancelRequestedAt = new Date()
  await tx.update(subscriptions).set({ cancelRequestedAt }).where(eq(subscriptions.id, row.id))
  return { ...row, cancelRequestedAt }
}

async function periodOf(
  tx: Db,
  subscriptionId: string,
  base: OrderRow,
  told: GatewaySubscription,
  { uid, paidAt }: Payment,
): Promise<Period> {
  if (told.active_to && told.last_transaction?.uid === uid) return { subscriptionId, endsAt: told.active_to }
  return { subscriptionId, endsAt: await usualEnd(tx, base, paidAt) }
}

/** The end of a period of which only the payment is known. */
export async function usualEnd(tx: Db, { planVersionId }: OrderRow, paidAt: Date): Promise<Date> {
  const [version] = await tx
    .select({ days: planVersions.intervalDays })
    .from(planVersions)
    .where(eq(planVersions.id, planVersionId ?? ''))
  return new Date(paidAt.getTime() + (version?.days ?? 0) * DAY_MS)
}

async function advance(tx: Db, deps: PaymentDeps, known: SubscriptionRow, told: GatewaySubscription): Promise<void> {
  const now = new Date()
  const ended = isEnded(told.state)
  const canceled = told.state === 'canceled'
  const activeTo = told.active_to ?? known.activeTo
  const renewAt = ended ? null : (told.renew_at ?? activeTo)
  const cancelRequestedAt = known.cancelRequestedAt ?? (canceled ? now : null)
  await tx
    .update(subscriptions)
    .set({
      state: told.state,
      activeTo,
      renewAt,
      paidBillingCycles: cyclesOf(known, told),
      // Of a payer whose account is deleted nothing is written down again.
      ...(known.userId && {
        cardLast4: told.card?.last_4 ?? known.cardLast4,
        cardBrand: told.card?.brand ?? known.cardBrand,
      }),
      cancelRequestedAt,
      canceledAt: canceledAt(known, ended && cancelRequestedAt !== null, now),
      // A cancellation that did not end it is told again.
      checkAt: ended ? null : cancelRequestedAt ? (known.checkAt ?? now) : renewAt && nextRenewalCheck(renewAt, now),
      missingSince: null,
    })
    .where(eq(subscriptions.id, known.id))
  if (told.state === known.state) return
  if (canceled) await emailAboutSubscription(tx, deps, known.id, 'canceled')
  else if (isFailing(told.state)) await emailAboutSubscription(tx, deps, known.id, 'renewal-failed')
  else if (ended) await emailAboutSubscription(tx, deps, known.id, 'ended')
  publishProfile(deps, known.userId)
}

function canceledAt({ canceledAt: earlier, missingSince }: SubscriptionRow, isCanceled: boolean, now: Date) {
  if (isCanceled) return earlier ?? now
  return missingSince ? null : earlier
}

const isLive = ({ state, activeTo, cancelRequestedAt }: SubscriptionRow) =>
  activeTo !== null && cancelRequestedAt === null && !isEnded(state)
const willLive = (known: SubscriptionRow, told: GatewaySubscription) =>
  isLive({ ...known, state: told.state, activeTo: told.active_to ?? known.activeTo })

/** Subscriptions of one person come to life one after another. */
async function lockSubscriber(tx: Db, userId: string | null): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`subscriber:${userId}`}, 0))`)
}

/** Somebody paid for a second subscription in another tab: the newer one goes on, the older one is not charged again. */
async function supersede(tx: Db, { userId, id }: SubscriptionRow): Promise<void> {
  if (!userId) return
  const now = new Date()
  await tx
    .update(subscriptions)
    .set({ cancelRequestedAt: now, checkAt: now })
    .where(and(eq(subscriptions.userId, userId), ne(subscriptions.id, id), liveSubscription()))
}

/** The first payment was declined, or nobody came to make it. */
async function closeUnpaid(tx: Db, { id }: OrderRow, state: string): Promise<void> {
  if (state === 'expired') await expireOrder(tx, id)
  if (state !== 'failed' && state !== 'error') return
  await tx
    .update(orders)
    .set({ status: 'failed' })
    .where(and(eq(orders.id, id), isNull(orders.paidAt)))
}

/** Nothing will come of it any more; a code that was kept for it is free again. A declined one stays declined. */
export async function expireOrder(tx: Db, id: string): Promise<void> {
  const [closed] = await tx
    .update(orders)
    .set({ status: sql`case ${orders.status} when 'pending' then 'expired' else ${orders.status} end`, checkAt: null })
    .where(and(eq(orders.id, id), isNull(orders.paidAt)))
    .returning({ promoId: orders.promoId })
  if (closed?.promoId) await releaseDiscount(tx, id)
}
