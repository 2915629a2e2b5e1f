import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, renewals, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { applyPayment, endByTerms } from './apply-payment.ts'
import { mayPass } from './decline-reason.ts'
import { type PaymentDeps, publishProfile, reject } from './deps.ts'
import { emailDeclinedRenewal } from './emails.ts'
import { lockSubscriber, type OrderRow, type Renewal } from './orders.ts'
import { activeMethod, type MethodRow, removeMethod, saveMethod } from './saved-methods.ts'
import { isLive, type SubscriptionRow } from './subscription-state.ts'
import { cancelOthers } from './subscriptions.ts'
import type { Payment } from './transactions.ts'

const DAY_MS = 86_400_000
/** A declined renewal is tried again this many days after each decline. */
const RETRY_DAYS = [1, 3, 5]
/** A renewal that is paid soon after the end of the period continues it without a gap. */
const ON_TIME_MS = 3_600_000

/** Applies a payment to its order; the caller holds the locks of both. */
export async function applyToLocked(tx: Db, deps: PaymentDeps, base: OrderRow, payment: Payment): Promise<void> {
  const isOwn = base.gateway === 'yookassa' && base.kind !== 'bundle'
  await (isOwn ? applyOwnPayment : applyPayment)(tx, deps, base, payment)
}

/** A payment for a plan that we renew ourselves: it begins or continues the subscription, or was declined. */
async function applyOwnPayment(tx: Db, deps: PaymentDeps, base: OrderRow, payment: Payment): Promise<void> {
  if (base.paidAt && base.gatewayUid !== payment.uid && payment.successful)
    throw reject('за этот заказ уже заплачено. Верните второй платёж через кабинет платёжной системы')
  await lockSubscriber(tx, base.userId)
  if (base.paidAt || !payment.successful) {
    await applyPayment(tx, deps, base, payment)
    if (!base.paidAt && base.kind === 'renewal') await noteDecline(tx, deps, base, payment)
    return
  }
  const before = await findOrInsert(tx, base)
  const staysEnded = await isReplaced(tx, base, before)
  if (!isLive(before) && !staysEnded) await cancelOthers(tx, before, base.replacesId)
  const { activeTo } = before
  const isOnTime = activeTo !== null && payment.paidAt.getTime() - activeTo.getTime() < ON_TIME_MS
  const endsAt = await endByTerms(tx, base, isOnTime ? activeTo : payment.paidAt)
  const { method } = payment
  if (method && base.userId && base.kind === 'plan' && base.renews) await saveMethod(tx, deps, base.userId, method)
  const charged = base.userId ? await activeMethod(tx, base.userId) : null
  const renewal = before.cancelRequestedAt || staysEnded ? 'ended' : renewalOf(base, charged)
  await applyPayment(tx, deps, base, payment, { subscriptionId: before.id, endsAt, renewal })
  // A refund that arrived before its payment has ended it.
  const [row = before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, before.id))
  const isCanceled = row.cancelRequestedAt !== null
  const hasEnded = isCanceled || staysEnded
  const renews = renewal === 'renews' && !hasEnded
  await tx
    .update(subscriptions)
    .set({
      state: isCanceled ? 'canceled' : staysEnded ? row.state : stateOf(renewal),
      activeTo: endsAt,
      renewAt: renews ? endsAt : null,
      checkAt: renews ? endsAt : hasEnded ? row.checkAt : null,
      failedChecks: 0,
      paidBillingCycles: row.paidBillingCycles + 1,
      planVersionId: base.planVersionId ?? row.planVersionId,
      nextPlanVersionId: base.planVersionId === row.nextPlanVersionId ? null : row.nextPlanVersionId,
      ...(renews && { cardLast4: charged?.last4 ?? null, cardBrand: charged?.brand ?? null }),
    })
    .where(eq(subscriptions.id, row.id))
  await tx
    .update(renewals)
    .set({ state: 'paid', nextAt: null, updatedAt: new Date() })
    .where(eq(renewals.orderId, base.id))
}

/** The one place that decides whether a plan of ours renews: the payer has agreed, and there is what to charge. */
const renewalOf = ({ renews }: OrderRow, charged: MethodRow | null): Renewal =>
  renews ? (charged ? 'renews' : 'unsaved') : 'once'

const stateOf = (renewal: Renewal) => (renewal === 'renews' ? 'active' : renewal)

/** A late charge of a subscription that ended counts, but does not end the one that was bought since. */
async function isReplaced(tx: Db, { kind }: OrderRow, row: SubscriptionRow): Promise<boolean> {
  if (kind !== 'renewal' || isLive(row) || !row.userId) return false
  const others = and(eq(subscriptions.userId, row.userId), ne(subscriptions.id, row.id), liveSubscription())
  return row.cancelRequestedAt !== null || (await tx.$count(subscriptions, others)) > 0
}

async function findOrInsert(tx: Db, { id, userId, subscriptionId, planVersionId }: OrderRow): Promise<SubscriptionRow> {
  if (!planVersionId) throw new Error('A subscription needs a plan')
  if (!subscriptionId) {
    await tx
      .insert(subscriptions)
      .values({ id: newId(), gateway: 'yookassa', gatewayId: `own:${id}`, userId, planVersionId, state: 'redirecting' })
      .onConflictDoNothing()
  }
  const isIt = subscriptionId ? eq(subscriptions.id, subscriptionId) : eq(subscriptions.gatewayId, `own:${id}`)
  const [row] = await tx.select().from(subscriptions).where(isIt).for('update')
  if (!row) throw new Error(`No subscription of order ${id}`)
  return row
}

/** The charge of a saved method was declined: it is tried again later, or the subscription ends. */
async function noteDecline(tx: Db, deps: PaymentDeps, base: OrderRow, { declineReason }: Payment): Promise<void> {
  const [renewal] = await tx
    .select()
    .from(renewals)
    .where(and(eq(renewals.orderId, base.id), eq(renewals.state, 'charging')))
    .for('update')
  if (!renewal) return
  const now = new Date()
  const isId = eq(subscriptions.id, renewal.subscriptionId)
  const [row] = await tx.select().from(subscriptions).where(isId).for('update')
  const active = base.userId ? await activeMethod(tx, base.userId) : null
  const isChanged = active !== null && active.id !== renewal.methodId
  if (declineReason === 'revoked' && base.userId && !isChanged) await removeMethod(tx, base.userId, 'revoked')
  // What is final for the old method says nothing about the one that the payer has chosen since.
  const days = mayPass(declineReason) || isChanged ? RETRY_DAYS[renewal.attempts - 1] : undefined
  const nextAt = days && row && isLive(row) ? new Date(now.getTime() + days * DAY_MS) : null
  await tx
    .update(renewals)
    .set({ state: nextAt ? 'waiting' : 'failed', nextAt, updatedAt: now })
    .where(eq(renewals.orderId, base.id))
  if (!row || !isLive(row)) return
  const ended = { state: 'failed', renewAt: null, checkAt: null, nextPlanVersionId: null }
  await tx
    .update(subscriptions)
    .set(nextAt ? { state: 'failed_attempt', checkAt: nextAt } : ended)
    .where(isId)
  await emailDeclinedRenewal(tx, deps, base, { reason: declineReason, nextAt })
  publishProfile(deps, base.userId)
}
