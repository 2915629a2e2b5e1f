import { and, desc, eq, isNotNull, isNull, notInArray, or } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { endedStates, liveSubscription, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { audit } from '../audit/audit.ts'
import { singleSubscription } from '../billing/balance.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { endOwn } from './end-own.ts'
import { nullIfUnreachable } from './fetch-facts.ts'
import { syncSubscription } from './gateway-sync.ts'
import { ingest } from './ingest.ts'
import { recordMissingSubscription } from './missing-subscriptions.ts'
import { requireBepaid, requirePayments } from './shops.ts'
import { isEnded, type SubscriptionRow } from './subscription-state.ts'

const REASON = "Customer's request"

/**
 * Ends renewal; the paid period stays. The request is stored before it is sent: if the gateway does not answer now,
 * `reconcilePending` sends it again. Safe to repeat.
 */
export const cancelRenewal = (ctx: Ctx, deps: PaymentDeps) =>
  cancelRenewalOf(ctx, deps, ctx.user.id, 'У вас нет подписки, которая продлевается')

/** An admin ends the renewal of a person, such as one who is banned and cannot do it. */
export async function cancelRenewalForUser(ctx: Ctx, deps: PaymentDeps, userId: string) {
  const answer = await cancelRenewalOf(ctx, deps, userId, 'У этого человека нет подписки, которая продлевается')
  await audit(ctx, { action: 'user.cancel_renewal', kind: 'user', target: userId })
  return answer
}

async function cancelRenewalOf(
  ctx: Ctx,
  deps: PaymentDeps,
  userId: string,
  ifNone: string,
): Promise<{ SingleSubscription: SingleSubscription }> {
  requirePayments(deps)
  const rows = await requestCancel(ctx.db, userId)
  if (rows.length === 0) throw notFound(ifNone)
  publishProfile(deps, userId)
  for (const row of rows) {
    if (row.canceledAt) continue
    if (row.gateway === 'yookassa') await endOwn(deps, row)
    else await cancelAtGateway(deps, row)
  }
  return { SingleSubscription: await singleSubscription(ctx.db, userId) }
}

/** The subscription that renews; otherwise those not known to have ended; otherwise the one cancelled last. */
async function requestCancel(db: Db, userId: string): Promise<SubscriptionRow[]> {
  const now = new Date()
  const own = eq(subscriptions.userId, userId)
  const { cancelRequestedAt, state, missingSince } = subscriptions
  const notEnded = and(isNull(cancelRequestedAt), or(notInArray(state, [...endedStates]), isNotNull(missingSince)))
  // A change of plan that has begun would charge again after the cancellation.
  await db
    .update(subscriptions)
    .set({ nextPlanVersionId: null })
    .where(and(own, isNotNull(subscriptions.nextPlanVersionId)))
  for (const matching of [liveSubscription(), notEnded]) {
    const rows = await db
      .update(subscriptions)
      .set({ cancelRequestedAt: now, checkAt: now })
      .where(and(own, matching))
      .returning()
    if (rows.length > 0) return rows
  }
  return db
    .select()
    .from(subscriptions)
    .where(and(own, isNotNull(cancelRequestedAt)))
    .orderBy(desc(cancelRequestedAt))
    .limit(1)
}

/** Asks about the subscription first: the response to a cancellation does not name the last payment. */
export async function cancelAtGateway(deps: PaymentDeps, row: SubscriptionRow, now = new Date()): Promise<void> {
  const { gateway } = requireBepaid(deps)
  await syncSubscription(deps, row, now)
  try {
    const canceled = await gateway.cancelSubscription(row.gatewayId, REASON)
    if (canceled) await ingest(deps, canceled, { source: 'request', gateway: 'bepaid' })
    else await recordMissingSubscription(deps, row.id, now)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    // The request may have succeeded without an answer, or the subscription had ended before.
    const current = await nullIfUnreachable(gateway.subscription(row.gatewayId))
    if (!current || !isEnded(current.state)) throw error
    await ingest(deps, current, { source: 'request', gateway: 'bepaid' })
  }
}
