import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Order } from '#contract/payments.ts'
import { orders } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { audit } from '../audit/audit.ts'
import { askAboutOrder } from './ask-gateway.ts'
import { anyOrder, ownOrder, shown } from './orders.ts'
import { Refusal } from './refusals.ts'
import { takeReversal } from './reversals.ts'
import { openedShop, type PaymentWorld } from './world.ts'

/** Whoever waits for a payment asks often; the gateway is asked less often than that. */
const PATIENCE_MS = 3000

/** An own order. Until it is paid the gateway is asked about it, but an answer is given even if the gateway is silent. */
export async function readOrder(ctx: Ctx, world: PaymentWorld, id: string): Promise<Order> {
  const order = await ownOrder(ctx, id)
  if (order.paidAt || order.status === 'expired' || !world.shop || !(await claimQuestion(ctx, id))) return shown(order)
  try {
    await askAboutOrder(world, order)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof Refusal)) throw error
    world.log?.warn({ orderId: id, reason: error.message }, 'an awaited payment could not be checked')
  }
  return shown(await ownOrder(ctx, id))
}

async function claimQuestion({ db }: Ctx, id: string): Promise<boolean> {
  const now = Date.now()
  const claimed = await db
    .update(orders)
    .set({ askedAt: new Date(now) })
    .where(and(eq(orders.id, id), or(isNull(orders.askedAt), lt(orders.askedAt, new Date(now - PATIENCE_MS)))))
    .returning({ id: orders.id })
  return claimed.length > 0
}

export async function checkOrder(ctx: Ctx, world: PaymentWorld, id: string): Promise<Order> {
  openedShop(world)
  const before = await anyOrder(ctx.db, id)
  await askAboutOrder(world, before)
  const after = shown(await anyOrder(ctx.db, id))
  await audit(ctx, { act: 'order.check', kind: 'order', target: id, before: shown(before), after })
  return after
}

/** Gives all the money back. The order's own id names the request, so a repeat after silence refunds once. */
export async function refundOrder(ctx: Ctx, world: PaymentWorld, id: string, reason: string): Promise<Order> {
  const { gateway } = openedShop(world)
  const order = await anyOrder(ctx.db, id)
  if (order.status === 'refunded') return shown(order)
  if (order.status !== 'paid' || !order.gatewayUid) {
    throw new AppError('conflict', 'Вернуть можно только деньги за оплаченный заказ.')
  }
  const amount = order.amount - order.refundedAmount
  const refund = await gateway.refund({ uid: order.gatewayUid, amount, reason, requestId: order.id })
  if (refund.status !== 'successful') {
    throw new AppError('conflict', 'Платёжная система не вернула деньги. Проверьте платёж в кабинете bePaid.')
  }
  const parent_uid = order.gatewayUid
  return ctx.db.transaction(async (tx) => {
    await takeReversal(tx, world, { ...refund, type: 'refund', parent_uid })
    const after = await anyOrder(tx, id)
    const [was, is] = [order, after].map(({ status, refundedAmount, currency }) => ({
      status,
      refundedAmount,
      currency,
    }))
    await audit(ctx, { act: 'order.refund', kind: 'order', target: id, before: was, after: is, note: reason })
    return shown(after)
  })
}
