import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { singleSubscription } from '../billing/single-subscription.ts'
import { askAboutSubscription, learnOfSubscription, unlessSilent } from './ask-gateway.ts'
import { isEnded } from './subscription-state.ts'
import type { SubscriptionRow } from './subscriptions.ts'
import { openedShop, type PaymentWorld, tellProfile } from './world.ts'

const REASON = "Customer's request"

/**
 * Ends renewal; what is paid for stays. The wish is stored before the gateway hears it: if it does not answer now,
 * `healPayments` tells it again. Harmless to repeat.
 */
export async function cancelRenewal(
  ctx: Ctx,
  world: PaymentWorld,
): Promise<{ SingleSubscription: SingleSubscription }> {
  openedShop(world)
  const wanted = await wishOf(ctx.db, ctx.user.id)
  if (!wanted) throw notFound('У вас нет подписки, которая продлевается')
  tellProfile(world, ctx.user.id)
  if (!wanted.canceledAt) await cancelAtGateway(world, wanted)
  return { SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

async function wishOf(db: Db, userId: string): Promise<SubscriptionRow | undefined> {
  const now = new Date()
  const own = eq(subscriptions.userId, userId)
  const [live] = await db
    .update(subscriptions)
    .set({ cancelRequestedAt: now, checkAt: now })
    .where(and(own, liveSubscription()))
    .returning()
  if (live) return live
  const [earlier] = await db
    .select()
    .from(subscriptions)
    .where(and(own, isNotNull(subscriptions.cancelRequestedAt)))
    .orderBy(desc(subscriptions.cancelRequestedAt))
    .limit(1)
  return earlier
}

/** Asks for news first: the answer to a cancellation no longer names the last payment. */
export async function cancelAtGateway(world: PaymentWorld, row: SubscriptionRow): Promise<void> {
  const { gateway } = openedShop(world)
  await askAboutSubscription(world, row)
  try {
    const told = await gateway.cancelSubscription(row.gatewayId, REASON)
    if (told) await learnOfSubscription(world, told)
    else await forget(world.db, row)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    // It may have been carried out, or have ended by itself before.
    const told = await unlessSilent(gateway.subscription(row.gatewayId))
    if (!told || !isEnded(told.state)) throw error
    await learnOfSubscription(world, told)
  }
}

/** The gateway does not know it, so it cannot charge. */
async function forget(db: Db, { id }: SubscriptionRow): Promise<void> {
  await db
    .update(subscriptions)
    .set({ state: 'canceled', canceledAt: new Date(), renewAt: null, checkAt: null })
    .where(eq(subscriptions.id, id))
}
