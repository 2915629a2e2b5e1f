import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { PayMethod, PlanChangeTerms } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, orders, plans, planVersions, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { singleSubscription } from '../billing/balance.ts'
import { trackEvent } from '../billing/events.ts'
import { cancelRenewal } from './cancel.ts'
import { openSubscriptionPage } from './checkout.ts'
import { type PaymentDeps, publishProfile, rejectImpersonator } from './deps.ts'
import { beginsAtOnce, firstPayment, type PaidPeriod, unusedPartOf } from './plan-change-terms.ts'
import { type PlanForSale, planForSale } from './plans.ts'
import { removeMethod } from './saved-methods.ts'
import { requirePayments } from './shops.ts'
import { isLive, planChangeTime, type SubscriptionRow } from './subscription-state.ts'

const DAY_MS = 86_400_000

interface CurrentSubscription {
  row: SubscriptionRow
  plan: PlanForSale
  /** Null when the money of the period was returned. */
  period: PaidPeriod | null
}

/** The subscription that renews, or the one whose paid period is not over. */
async function currentOf(db: Db, userId: string, now: Date): Promise<CurrentSubscription> {
  const { activeTo, revokedAt } = subscriptions
  const [found] = await db
    .select({ row: subscriptions, plan: plans, version: planVersions })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(and(eq(subscriptions.userId, userId), isNull(revokedAt), or(liveSubscription(), gt(activeTo, now))))
    .orderBy(desc(sql`(${liveSubscription()})`), desc(activeTo))
    .limit(1)
  if (!found) throw notFound('У вас нет подписки, которую можно сменить. Выберите тариф.')
  const { row, plan, version } = found
  const { id: versionId, symbols, price, currency, intervalDays } = version
  return {
    row,
    plan: { ...plan, versionId, symbols, price, currency, intervalDays },
    period: await periodOf(db, row, version),
  }
}

/**
 * A period that began with a change of plan was partly paid with unused days, so it is worth the full price of the
 * plan; any other period is worth what was paid.
 */
async function periodOf(
  db: Db,
  { id, activeTo }: SubscriptionRow,
  { intervalDays, price, symbols }: typeof planVersions.$inferSelect,
): Promise<PaidPeriod | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.subscriptionId, id), eq(orders.status, 'paid')))
    .orderBy(desc(orders.paidAt))
    .limit(1)
  if (!order || !activeTo) return null
  const whole = order.replacesId ? { amount: price, symbols } : { amount: order.amount, symbols: order.symbols }
  const amount = Math.max(0, whole.amount - order.refundedAmount)
  return { amount, symbols: whole.symbols, intervalDays, endsAt: activeTo }
}

interface Change {
  current: CurrentSubscription
  next: PlanForSale
  terms: PlanChangeTerms
}

async function changeOf(db: Db, userId: string, planId: string, now = new Date()): Promise<Change> {
  const current = await currentOf(db, userId, now)
  const isSame = current.plan.id === planId
  // Another card does not change the terms of a running subscription, even if its plan is sold for another price now.
  const next = isSame && isLive(current.row) ? current.plan : await planForSale(db, planId)
  return { current, next, terms: termsOf(current, next, now) }
}

function termsOf({ row, plan, period }: CurrentSubscription, next: PlanForSale, now: Date): PlanChangeTerms {
  const { name, currency, price, intervalDays, symbols } = next
  const common = { currency, plan: { name, price, currency, symbols, intervalDays } }
  const fromNow = { at: new Date(now.getTime() + intervalDays * DAY_MS).toISOString(), amount: price }
  const nothing = { days: 0, amount: 0, symbols: 0 }
  if (beginsAtOnce(plan, next)) {
    const unused = unusedPartOf(period, now)
    return { ...common, when: 'now', ...firstPayment(next, unused), unused, next: fromNow }
  }
  // A cancelled subscription has no next charge: the smaller plan begins now, beside the rest of the paid period.
  if (!isLive(row)) return { ...common, when: 'now', amount: price, symbols, unused: nothing, next: fromNow }
  const at = (row.renewAt ?? row.activeTo ?? now).toISOString()
  const unused = { ...nothing, days: unusedPartOf(period, now).days }
  return { ...common, when: 'later', amount: 0, symbols: 0, unused, next: { at, amount: price } }
}

export async function changeTerms({ db, user }: Ctx, planId: string): Promise<PlanChangeTerms> {
  return (await changeOf(db, user.id, planId)).terms
}

interface Choice {
  method?: PayMethod | undefined
  renews?: boolean | undefined
}

type Balance = { SingleSubscription: SingleSubscription }

export async function changeOwnPlan(
  ctx: Ctx,
  deps: PaymentDeps,
  { planId, amount, ...choice }: { planId: string; amount: number } & Choice,
): Promise<Balance & { redirect_url: string | null }> {
  requirePayments(deps)
  rejectImpersonator(ctx)
  const { db, user } = ctx
  const change = await changeOf(db, user.id, planId)
  if (change.terms.amount !== amount) {
    throw new AppError('conflict', 'Сумма изменилась, пока вы выбирали. Посмотрите новую и подтвердите ещё раз.')
  }
  const redirect_url =
    change.terms.when === 'now'
      ? await payChange(ctx, deps, change, choice)
      : await schedulePlanChange(ctx, deps, change)
  return { redirect_url, SingleSubscription: await singleSubscription(db, user.id) }
}

/** The old subscription ends only when the new one is paid: see `applySubscription`. */
async function payChange(
  ctx: Ctx,
  deps: PaymentDeps,
  { current, next, terms }: Change,
  choice: Choice,
): Promise<string> {
  const { amount, symbols, unused } = terms
  const replaces = unused.days > 0 || isLive(current.row) ? { replacesId: current.row.id } : {}
  // A new card for the same plan stays where the subscription is.
  const { gateway } = current.row
  const same = next.id === current.plan.id && deps.shops[gateway] ? { gateway } : {}
  const first = { amount, symbols, ...choice, ...replaces, ...same }
  const { redirect_url } = await openSubscriptionPage(ctx, deps, next, first)
  return redirect_url
}

/** Happens in `reconcilePending`, shortly before the next charge. */
async function schedulePlanChange({ db, user }: Ctx, deps: PaymentDeps, { current, next }: Change): Promise<null> {
  const { id, gateway, renewAt, activeTo } = current.row
  const endsAt = renewAt ?? activeTo
  // Our own renewal charges the new plan; at bePaid the old subscription has to end before.
  const startsAt = gateway === 'bepaid' ? endsAt && planChangeTime(endsAt) : endsAt
  if (!startsAt || startsAt <= new Date()) throw tooLate()
  const [row] = await db
    .update(subscriptions)
    .set({ nextPlanVersionId: next.versionId, checkAt: startsAt })
    .where(and(eq(subscriptions.id, id), liveSubscription()))
    .returning({ id: subscriptions.id })
  if (!row) throw tooLate()
  await trackEvent(db, 'Смена тарифа', user.id, { planId: next.id, subscriptionId: id })
  publishProfile(deps, user.id)
  return null
}

const tooLate = () =>
  new AppError('conflict', 'Подписка продлевается в ближайшие минуты. Смените тариф, когда она продлится.')

export async function cancelPlanChange({ db, user }: Ctx, deps: PaymentDeps): Promise<Balance> {
  const own = and(eq(subscriptions.userId, user.id), sql`${subscriptions.nextPlanVersionId} is not null`)
  const [changed] = await db
    .update(subscriptions)
    .set({ nextPlanVersionId: null, checkAt: sql`coalesce(${subscriptions.renewAt}, ${subscriptions.activeTo})` })
    .where(and(own, liveSubscription()))
    .returning({ id: subscriptions.id })
  if (!changed && (await db.$count(subscriptions, own)) > 0) {
    throw new AppError('conflict', 'Смена тарифа уже началась. Вернуться на прежний можно, когда она закончится.')
  }
  if (!changed) throw notFound('Смена тарифа не назначена')
  publishProfile(deps, user.id)
  return { SingleSubscription: await singleSubscription(db, user.id) }
}

/**
 * Ends renewal and deletes the card of every subscription and the saved method. Later reports of the gateway do not
 * store a card again. Our own method is deleted first: that asks no gateway.
 */
export async function removeCard(ctx: Ctx, deps: PaymentDeps): Promise<Balance> {
  const { db, user } = ctx
  const isRemoved = await removeMethod(db, user.id, 'payer')
  const answer = await cancelRenewal(ctx, deps).catch(async (error: unknown) => {
    if (!isRemoved || !(error instanceof AppError) || error.code !== 'not_found') throw error
    return { SingleSubscription: await singleSubscription(db, user.id) }
  })
  await db
    .update(subscriptions)
    .set({ cardLast4: null, cardBrand: null, cardRemovedAt: new Date() })
    .where(eq(subscriptions.userId, user.id))
  publishProfile(deps, user.id)
  return { SingleSubscription: { ...answer.SingleSubscription, card: null } }
}
