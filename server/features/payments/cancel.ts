import { and, desc, eq, isNotNull, isNull, notInArray, or } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { endedStates, liveSubscription, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { singleSubscription } from '../billing/single-subscription.ts'
import { askAboutSubscription, learnOfSubscription, unlessSilent } from './ask-gateway.ts'
import { openedShop, type PaymentDeps, publishProfile } from './deps.ts'
import { noteMissing } from './missing.ts'
import { isEnded } from './subscription-state.ts'
import type { SubscriptionRow } from './subscriptions.ts'

const REASON = "Customer's request"

/**
 * Ends renewal; what is paid for stays. The wish is stored before the gateway hears it: if it does not answer now,
 * `healPayments` tells it again. Harmless to repeat.
 */
export async function cancelRenewal(ctx: Ctx, deps: PaymentDeps): Promise<{ SingleSubscription: SingleSubscription }> {
  openedShop(deps)
  const wanted = await requestCancel(ctx.db, ctx.user.id)
  if (wanted.length === 0) throw notFound('У вас нет подписки, которая продлевается')
  publishProfile(deps, ctx.user.id)
  for (const row of wanted) if (!row.canceledAt) await cancelAtGateway(deps, row)
  return { SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

/** The one that renews; else whatever is not known to have ended; else the one cancelled last. */
async function requestCancel(db: Db, userId: string): Promise<SubscriptionRow[]> {
  const now = new Date()
  const own = eq(subscriptions.userId, userId)
  const { cancelRequestedAt, state, missingSince } = subscriptions
  const notEnded = and(isNull(cancelRequestedAt), or(notInArray(state, [...endedStates]), isNotNull(missingSince)))
  for (const wanted of [liveSubscription(), notEnded]) {
    const rows = await db
      .update(subscriptions)
      .set({ cancelRequestedAt: now, checkAt: now })
      .where(and(own, wanted))
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

/** Asks for news first: the answer to a cancellation no longer names the last payment. */
export async function cancelAtGateway(deps: PaymentDeps, row: SubscriptionRow, now = new Date()): Promise<void> {
  const { gateway } = openedShop(deps)
  await askAboutSubscription(deps, row, now)
  try {
    const told = await gateway.cancelSubscription(row.gatewayId, REASON)
    if (told) await learnOfSubscription(deps, told)
    else await noteMissing(deps, row.id, now)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    // It may have been carried out, or have ended by itself before.
    const told = await unlessSilent(gateway.subscription(row.gatewayId))
    if (!told || !isEnded(told.state)) throw error
    await learnOfSubscription(deps, told)
  }
}
