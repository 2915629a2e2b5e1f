import { and, eq } from 'drizzle-orm'
import type { DeclineReason } from '#contract/payments.ts'
import type { Plan } from '#contract/plans.ts'
import { profilePath } from '#contract/profile-sections.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, type orders, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { formatDays, formatSum, formatSymbols } from '#server/email/templates/layout.ts'
import {
  canceledEmail,
  chargedFrom,
  endSoonEmail,
  paidEmail,
  planChangedEmail,
  refundedEmail,
  refundedTo,
  renewalFailedEmail,
  renewalSoonEmail,
  renewedEmail,
} from '#server/email/templates/payments.ts'
import { type PaymentDeps, profileUrl } from './deps.ts'
import type { Period } from './orders.ts'
import { activeMethod } from './saved-methods.ts'

type Order = typeof orders.$inferSelect
type SubscriptionEmail = 'canceled' | 'renewal-failed' | 'ended' | 'renewal-soon' | 'end-soon'

/** The period is null for symbols that do not expire. */
export async function emailPaid(db: Db, deps: PaymentDeps, order: Order, period: Period | null): Promise<void> {
  const to = order.userId && (await addressOf(db, order.userId))
  if (!to) return
  const { kind, title, symbols, amount, currency, receiptUrl } = order
  const message = { to, appName: deps.appName, url: profileUrl(deps), title, symbols, amount, currency, receiptUrl }
  const plan = period && { until: period.endsAt, renewal: period.renewal }
  const email = kind === 'renewal' && plan ? renewedEmail({ ...message, ...plan }) : paidEmail({ ...message, plan })
  await queueEmail(db, `paid:${order.id}`, email)
}

/** One email for each refund; a chargeback was asked for by the payer at the bank, so nothing is said about it. */
export async function emailRefunded(
  db: Db,
  deps: PaymentDeps,
  order: Order,
  refund: { uid: string; amount: number; taken: number; isWhole: boolean },
): Promise<void> {
  const to = order.userId && (await addressOf(db, order.userId))
  if (!to) return
  const { title, currency } = order
  const method = order.gateway === 'yookassa' && order.userId ? await activeMethod(db, order.userId) : null
  const last4 = method?.kind === order.method ? (method?.last4 ?? null) : null
  const message = {
    to,
    appName: deps.appName,
    url: deps.appUrl + profilePath('operations'),
    title,
    currency,
    ...refund,
  }
  await queueEmail(db, `refunded:${refund.uid}`, refundedEmail({ ...message, way: refundedTo(order.method, last4) }))
}

/** Sends nothing about a subscription that was never paid. */
export async function emailAboutSubscription(
  db: Db,
  deps: PaymentDeps,
  id: string,
  about: SubscriptionEmail,
): Promise<void> {
  const [row] = await subscribers(db).where(eq(subscriptions.id, id))
  if (!row?.activeTo) return
  const { email: to, plan, price, currency, activeTo, renewAt, cycles, state, revokedAt } = row
  const message = { to, appName: deps.appName, url: profileUrl(deps), plan, price, currency }
  // One email of a kind in a period, even if the state changes back and forth.
  const key = `${about}:${id}:${cycles}`
  if (about === 'canceled')
    return queueEmail(db, key, canceledEmail({ ...message, until: revokedAt ? null : activeTo }))
  if (about === 'end-soon')
    return queueEmail(db, key, endSoonEmail({ ...message, until: activeTo, renewal: renewalIn(state) }))
  if (about !== 'renewal-soon') return queueEmail(db, key, renewalFailedEmail({ ...message, final: about === 'ended' }))
  const at = renewAt ?? activeTo
  const next = await nextPlanOf(db, id)
  const from = await chargedMethodOf(db, row)
  await queueEmail(db, `${about}:${id}:${at.toISOString()}`, renewalSoonEmail({ ...message, ...next, at, from }))
}

const renewalIn = (state: string) => (state === 'once' ? 'once' : 'unsaved')

/** bePaid charges the card of the subscription, we charge the saved method. */
async function chargedMethodOf(
  db: Db,
  { gateway, userId, cardLast4 }: { gateway: string; userId: string | null; cardLast4: string | null },
) {
  const method = gateway === 'yookassa' && userId ? await activeMethod(db, userId) : null
  return chargedFrom(method ?? { kind: 'bank_card', last4: cardLast4 })
}

interface Decline {
  /** `no-method`: there was nothing to charge, so nobody was asked. */
  reason: DeclineReason | 'no-method' | null
  nextAt: Date | null
}

/** A charge of a saved method was declined; `nextAt` is null when it was the last one. */
export async function emailDeclinedRenewal(
  db: Db,
  deps: PaymentDeps,
  order: Order,
  { reason, nextAt }: Decline,
): Promise<void> {
  const to = order.userId && (await addressOf(db, order.userId))
  if (!to) return
  const { title, amount: price, currency } = order
  const plan = nameIn(title)
  const message = { to, appName: deps.appName, url: profileUrl(deps), plan, price, currency }
  const email = renewalFailedEmail({ ...message, reason, nextAt, final: nextAt === null })
  await queueEmail(db, `declined:${order.id}`, email)
}

const nameIn = (title: string) => title.replace(/^Тариф «(.*)»$/, '$1')

/** The plan that was to begin could not be charged; the old one is over. */
export async function emailNextPlanFailed(
  db: Db,
  deps: PaymentDeps,
  order: Order,
  reason: Decline['reason'],
): Promise<void> {
  const to = order.userId && (await addressOf(db, order.userId))
  if (!to) return
  const { title: plan, amount: price, currency } = order
  const name = nameIn(plan)
  const message = { to, appName: deps.appName, url: profileUrl(deps), plan: name, price, currency, final: true, reason }
  await queueEmail(db, `next-plan-failed:${order.id}`, renewalFailedEmail(message))
}

/** Emails the new terms of a plan to the subscribers who will be charged again. */
export async function emailSubscribers(db: Db, deps: PaymentDeps, changed: Plan, versionId: string): Promise<void> {
  const rows = await subscribers(db).where(and(eq(planVersions.planId, changed.id), liveSubscription()))
  const { symbols, price: newSum, currency: newCurrency, intervalDays } = changed
  const newPrice = `${formatSum(newSum, newCurrency)} за ${formatSymbols(symbols)} на ${formatDays(intervalDays)}`
  for (const { id, email: to, plan, price, currency } of rows) {
    const message = { to, appName: deps.appName, url: profileUrl(deps), plan, price, currency }
    await queueEmail(db, `plan-changed:${versionId}:${id}`, planChangedEmail({ ...message, newPrice }))
  }
}

function subscribers(db: Db) {
  return db
    .select({
      id: subscriptions.id,
      email: users.email,
      plan: plans.name,
      price: planVersions.price,
      currency: planVersions.currency,
      activeTo: subscriptions.activeTo,
      renewAt: subscriptions.renewAt,
      cycles: subscriptions.paidBillingCycles,
      gateway: subscriptions.gateway,
      state: subscriptions.state,
      userId: subscriptions.userId,
      cardLast4: subscriptions.cardLast4,
      revokedAt: subscriptions.revokedAt,
    })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
}

async function nextPlanOf(db: Db, id: string) {
  const [next] = await db
    .select({ plan: plans.name, price: planVersions.price, currency: planVersions.currency })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.nextPlanVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(eq(subscriptions.id, id))
  return next
}

async function addressOf(db: Db, userId: string): Promise<string | null> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? null
}
