import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, or, type Placeholder, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Grant, price, type SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import {
  balances,
  grants,
  ledger,
  liveSubscription,
  plans,
  planVersions,
  spendKinds,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { preparedOnce } from '#server/db/statement.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { readModel } from '../models/models.ts'
import { dayOf, startOfDay, UTC_OFFSET_HOURS } from './days.ts'
import { balanceColumns, setDailyCap, spend, toBalance } from './ledger.ts'

/** For API clients; the web pages are charged by the server itself. */
export async function spendOwn(ctx: Ctx, { amount, modelId }: { amount: number; modelId: string }) {
  const { inputRate, outputRate } = await readModel(ctx, modelId)
  const symbols = Math.min(price(amount, 0, { inputRate, outputRate }), Number.MAX_SAFE_INTEGER)
  if (symbols > 0) {
    await spend(ctx.db, {
      key: `balance:${newId()}`,
      userId: ctx.user.id,
      kind: 'balance',
      symbols,
      modelId,
      input: amount,
      output: 0,
      inputRate,
      outputRate,
    })
    publishBalance(ctx, ctx.user.id)
  }
  return { SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

export async function changeDailyCap(ctx: Ctx, dailyCap: number | null) {
  await setDailyCap(ctx.db, ctx.user.id, dailyCap)
  publishBalance(ctx, ctx.user.id)
  return { SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

/** Grants with symbols left, in the order they will be spent. */
export async function grantsOf(db: Db, userId: string): Promise<Grant[]> {
  const rows = await db
    .select()
    .from(grants)
    .where(
      and(eq(grants.userId, userId), grants.isLeft, or(isNull(grants.expiresAt), gt(grants.expiresAt, new Date()))),
    )
    .orderBy(sql`${grants.expiresAt} nulls last`, asc(grants.createdAt), asc(grants.id))
  return rows.map(({ id, kind, symbols, remaining, expiresAt, note, createdAt }) => ({
    id,
    kind,
    symbols,
    remaining,
    expiresAt: expiresAt?.toISOString() ?? null,
    note,
    createdAt: createdAt.toISOString(),
  }))
}

/** Symbols spent on each of the last days, oldest first, days without spending included. */
export async function usageByDay({ db, user }: Ctx, days: number, now = new Date()) {
  const first = startOfDay(dayOf(now), 1 - days)
  const day = sql<string>`to_char(${ledger.createdAt} at time zone 'UTC' + make_interval(hours => ${UTC_OFFSET_HOURS}), 'YYYY-MM-DD')`
  const rows = await db
    .select({ day: day.as('day'), symbols: sql<string>`-sum(${ledger.symbols})` })
    .from(ledger)
    .where(and(eq(ledger.userId, user.id), inArray(ledger.kind, [...spendKinds]), gte(ledger.createdAt, first)))
    .groupBy(sql`day`)
  const spent = new Map(rows.map((row) => [row.day, Number(row.symbols)]))
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(startOfDay(dayOf(first), i))
    return { day, symbols: spent.get(day) ?? 0 }
  })
}

export function publishBalance({ publish }: Pick<Ctx, 'publish'>, userId: string): void {
  afterCommit(() => publish(userId, { topic: 'profile', type: 'changed', data: null }))
}

export async function singleSubscription(db: Db, userId: string): Promise<SingleSubscription> {
  const [row] = await selectSubscription(db).execute({ userId })
  const balance = toBalance(row?.balance ?? undefined)
  const { planId, planName, nextPlanId, nextPlanName, amount, currency, renewAt } = row ?? {}
  const recurrent = row?.recurrent ?? false
  return {
    ...balance,
    active: balance.availableTokens > 0,
    recurrent,
    plan: planId && planName ? { id: planId, name: planName } : null,
    nextPlan: nextPlanId && nextPlanName ? { id: nextPlanId, name: nextPlanName } : null,
    endReason: row?.endReason ?? null,
    price: currency && amount !== null && amount !== undefined ? { amount, currency } : null,
    isDeclined: row?.isDeclined ?? false,
    lastPlanId: row?.lastPlanId ?? null,
    periodEnd: row?.activeTo?.toISOString() ?? null,
    nextCharge:
      recurrent && renewAt && currency && amount !== null && amount !== undefined
        ? { amount, currency, at: renewAt.toISOString() }
        : null,
    card: row?.last4 ? { brand: row.brand, last4: row.last4 } : null,
  }
}

const selectSubscription = preparedOnce((db) => {
  const owner = sql.placeholder('userId')
  const current = currentSubscription(db, owner)
  return db
    .select({
      balance: balanceColumns(owner),
      recurrent: current.recurrent,
      activeTo: current.activeTo,
      renewAt: current.renewAt,
      endReason: current.endReason,
      isDeclined: current.isDeclined,
      last4: current.last4,
      brand: current.brand,
      planId: current.planId,
      planName: current.planName,
      nextPlanId: current.nextPlanId,
      nextPlanName: current.nextPlanName,
      amount: current.amount,
      currency: current.currency,
      lastPlanId: lastPlan(db, owner),
    })
    .from(users)
    .leftJoin(balances, eq(balances.userId, users.id))
    .leftJoinLateral(current, sql`true`)
    .where(eq(users.id, owner))
    .prepare('single_subscription')
})

/** The plan of the latest paid subscription, also if it has ended. */
function lastPlan(db: Db, userId: Placeholder) {
  const last = db
    .select({ planId: planVersions.planId })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .where(and(eq(subscriptions.userId, userId), isNotNull(subscriptions.activeTo)))
    .orderBy(desc(subscriptions.activeTo), desc(subscriptions.createdAt))
    .limit(1)
  return sql<string | null>`(${last})`
}

/** The subscription that renews, or the one whose paid period is not over. */
function currentSubscription(db: Db, userId: Placeholder) {
  const { activeTo, renewAt, revokedAt, checkAt, state, gateway } = subscriptions
  // bePaid plans its attempts itself.
  const isDeclined = sql<boolean>`(${state} = 'failed_attempt' and ${gateway} = 'yookassa')`
  // A subscription that is ending for a change of plan is followed by another one.
  const recurrent = sql<boolean>`(${liveSubscription()} or ${subscriptions.nextPlanVersionId} is not null)`
  const nextVersion = alias(planVersions, 'next_version')
  const nextPlan = alias(plans, 'next_plan')
  return db
    .select({
      recurrent: recurrent.as('recurrent'),
      activeTo,
      endReason: sql<SingleSubscription['endReason']>`case when ${recurrent} then null
        when ${subscriptions.cancelRequestedAt} is not null then 'canceled'
        when ${state} in ('unsaved', 'once') then ${state} else 'ended' end`.as('end_reason'),
      isDeclined: isDeclined.as('is_declined'),
      renewAt: sql<Date | null>`coalesce(case when ${isDeclined} then ${checkAt} end, ${renewAt}, ${activeTo})`
        .mapWith(renewAt)
        .as('renew_at'),
      last4: subscriptions.cardLast4,
      brand: subscriptions.cardBrand,
      planId: sql<string>`${plans.id}`.as('plan_id'),
      planName: sql<string>`${plans.name}`.as('plan_name'),
      nextPlanId: sql<string | null>`${nextPlan.id}`.as('next_plan_id'),
      nextPlanName: sql<string | null>`${nextPlan.name}`.as('next_plan_name'),
      amount: sql<number>`coalesce(${nextVersion.price}, ${planVersions.price})`
        .mapWith(planVersions.price)
        .as('amount'),
      currency: sql<string>`coalesce(${nextVersion.currency}, ${planVersions.currency})`.as('currency'),
    })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .leftJoin(nextVersion, eq(nextVersion.id, subscriptions.nextPlanVersionId))
    .leftJoin(nextPlan, eq(nextPlan.id, nextVersion.planId))
    .where(and(eq(subscriptions.userId, userId), isNull(revokedAt), or(recurrent, gt(activeTo, sql`now()`))))
    .orderBy(desc(recurrent), desc(activeTo))
    .limit(1)
    .as('current')
}
