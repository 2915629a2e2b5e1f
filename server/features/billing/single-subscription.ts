import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, plans, planVersions, subscriptions } from '#server/db/schema.ts'
import { balanceOf } from './ledger.ts'

/** The balance and the subscription behind it, as every answer gives them. */
export async function singleSubscription(db: Db, userId: string): Promise<SingleSubscription> {
  const balance = await balanceOf(db, userId)
  const subscription = await currentSubscription(db, userId)
  return {
    ...balance,
    active: balance.availableTokens > 0,
    recurrent: subscription?.recurrent ?? false,
    plan: subscription ? { id: subscription.planId, name: subscription.planName } : null,
    periodEnd: subscription?.activeTo?.toISOString() ?? null,
    nextCharge: subscription ? nextCharge(subscription) : null,
    card: subscription?.last4 ? { brand: subscription.brand, last4: subscription.last4 } : null,
  }
}

type Current = NonNullable<Awaited<ReturnType<typeof currentSubscription>>>

/** The one that renews, or the one whose paid time is not over yet. */
async function currentSubscription(db: Db, userId: string) {
  const { activeTo, renewAt, revokedAt } = subscriptions
  const recurrent = sql<boolean>`(${liveSubscription()})`
  const [row] = await db
    .select({
      recurrent,
      activeTo,
      renewAt,
      last4: subscriptions.cardLast4,
      brand: subscriptions.cardBrand,
      planId: plans.id,
      planName: plans.name,
      amount: planVersions.price,
      currency: planVersions.currency,
    })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(and(eq(subscriptions.userId, userId), isNull(revokedAt), or(recurrent, gt(activeTo, new Date()))))
    .orderBy(desc(recurrent), desc(activeTo))
    .limit(1)
  return row
}

function nextCharge({ recurrent, renewAt, amount, currency }: Current) {
  return recurrent && renewAt ? { amount, currency, at: renewAt.toISOString() } : null
}
