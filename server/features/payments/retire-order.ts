import { and, eq, isNull } from 'drizzle-orm'
import { subscriptions } from '#server/db/schema.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { cancelAtGateway } from './cancel.ts'
import type { PaymentDeps } from './deps.ts'
import { lockOrder } from './orders.ts'
import { Rejection } from './rejections.ts'
import { expireOrder } from './subscriptions.ts'

/**
 * Closes an order whose discount went to another one, and its page at the gateway. A gateway that does not answer is
 * asked again by `healPayments`; a payment that comes all the same is counted at the full price.
 */
export async function retireOrder(deps: PaymentDeps, id: string): Promise<void> {
  const now = new Date()
  const unused = await deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || order.paidAt) return null
    await expireOrder(tx, id)
    const { subscriptionId } = order
    const { activeTo, cancelRequestedAt } = subscriptions
    const open = and(eq(subscriptions.id, subscriptionId ?? ''), isNull(activeTo), isNull(cancelRequestedAt))
    const [row] = await tx.update(subscriptions).set({ cancelRequestedAt: now, checkAt: now }).where(open).returning()
    return row ?? null
  })
  if (!unused) return
  try {
    await cancelAtGateway(deps, unused, now)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof Rejection)) throw error
    deps.log?.warn({ orderId: id, reason: error.message }, 'the page of a replaced order could not be closed yet')
  }
}
