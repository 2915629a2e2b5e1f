import { and, asc, desc, eq, isNotNull, ne } from 'drizzle-orm'
import type { OwnRenewalConsent, RenewalConsentState } from '#contract/legal.ts'
import type { Db } from '#server/db/client.ts'
import { consents, liveSubscription, orders, plans, planVersions, subscriptions } from '#server/db/schema.ts'

interface Given {
  id: string
  planVersionId: string
  createdAt: Date
}

type Paid = Pick<typeof orders.$inferSelect, 'kind' | 'planVersionId' | 'paidAt'>

/** Consents to renewal, newest first, with what has become of each. */
export async function renewalConsents(db: Db, userId: string, limit: number): Promise<OwnRenewalConsent[]> {
  const given = await db
    .select({
      ...{ id: consents.id, planVersionId: consents.planVersionId, textVersion: consents.textVersion },
      ...{ plan: plans.name, createdAt: consents.createdAt },
    })
    .from(consents)
    .innerJoin(planVersions, eq(planVersions.id, consents.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(eq(consents.userId, userId))
    .orderBy(desc(consents.createdAt))
    .limit(limit)
  if (given.length === 0) return []
  const states = await statesOf(db, userId, given)
  return given.map(({ id, plan, textVersion, createdAt }) => {
    return { id, plan, textVersion, at: createdAt.toISOString(), state: states.get(id) ?? 'unused' }
  })
}

async function statesOf(db: Db, userId: string, given: readonly Given[]): Promise<Map<string, RenewalConsentState>> {
  const agreed = and(eq(orders.userId, userId), ne(orders.kind, 'bundle'), eq(orders.renews, true))
  const paid = await db
    .select({ kind: orders.kind, planVersionId: orders.planVersionId, paidAt: orders.paidAt })
    .from(orders)
    .where(and(agreed, isNotNull(orders.paidAt)))
    .orderBy(asc(orders.paidAt))
  const [live] = await db
    .select({ now: subscriptions.planVersionId, next: subscriptions.nextPlanVersionId })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), liveSubscription(), isNotNull(subscriptions.renewAt)))
  const used = usedConsents(given, paid)
  const states = new Map<string, RenewalConsentState>(used.map(({ id }) => [id, 'ended']))
  if (!live) return states
  // The owner may have changed the terms since: what renews goes by the last consent that was used.
  const current = used.findLast(({ planVersionId }) => planVersionId === live.now) ?? used.at(-1)
  const coming = live.next === null ? undefined : given.find(({ planVersionId }) => planVersionId === live.next)
  for (const consent of [current, coming]) if (consent) states.set(consent.id, 'active')
  return states
}

/**
 * A purchase goes by the last consent before it was paid, so those of declined tries are not used. A renewal has one
 * of its own only when the plan has changed at the end of a period. `given` is newest first, `paid` oldest first.
 */
function usedConsents(given: readonly Given[], paid: readonly Paid[]): Given[] {
  const used: Given[] = []
  for (const { kind, planVersionId, paidAt } of paid) {
    if (kind === 'renewal' && used.some((consent) => consent.planVersionId === planVersionId)) continue
    const consent = given.find((one) => one.planVersionId === planVersionId && paidAt && one.createdAt <= paidAt)
    if (consent && !used.includes(consent)) used.push(consent)
  }
  return used
}
