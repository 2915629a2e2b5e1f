import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { balances, liveSubscription, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import { balanceColumns, toBalance } from './ledger.ts'

/** The balance and the current subscription, as the API returns them. */
export async function singleSubscription(db: Db, userId: string): Promise<SingleSubscription> {
  const current = currentSubscription(db, userId)
  const [row] = await db
    .select({
      balance: balanceColumns(userId),
      recurrent: current.recurrent,
      activeTo: current.activeTo,
      renewAt: current.renewAt,
      last4: current.last4,
      brand: current.brand,
      planId: current.planId,
      planName: current.planName,
      amount: current.amount,
      currency: current.currency,
    })
    .from(users)
    .leftJoin(balances, eq(balances.userId, users.id))
    .leftJoinLateral(current, sql`true`)
    .where(eq(users.id, userId))
  const balance = toBalance(row?.balance ?? undefined)
  const { planId, planName, amount, currency, renewAt } = row ?? {}
  const recurrent = row?.recurrent ?? false
  return {
    ...balance,
    active: balance.availableTokens > 0,
    recurrent,
    plan: planId && planName ? { id: planId, name: planName } : null,
    periodEnd: row?.activeTo?.toISOString() ?? null,
    nextCharge:
      recurrent && renewAt && currency && amount !== null && amount !== undefined
        ? { amount, currency, at: renewAt.toISOString() }
        : null,
    card: row?.last4 ? { brand: row.brand, last4: row.last4 } : null,
  }
}

/** The subscription that renews, or the one whose paid period is not over. */
function currentSubscription(db: Db, userId: string) {
  const { activeTo, renewAt, revokedAt } = subscriptions
  const recurrent = sql<boolean>`(${liveSubscription()})`
  return db
    .select({
      recurrent: recurrent.as('recurrent'),
      activeTo,
      renewAt,
      last4: subscriptions.cardLast4,
      brand: subscriptions.cardBrand,
      planId: sql<string>`${plans.id}`.as('plan_id'),
      planName: sql<string>`${plans.name}`.as('plan_name'),
      amount: planVersions.price,
      currency: planVersions.currency,
    })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(and(eq(subscriptions.userId, userId), isNull(revokedAt), or(recurrent, gt(activeTo, sql`now()`))))
    .orderBy(desc(recurrent), desc(activeTo))
    .limit(1)
    .as('current')
}
