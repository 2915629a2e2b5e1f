import { createHash } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Order } from '#contract/payments.ts'
import { orders } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { audit } from '../audit/audit.ts'
import { askAboutOrder } from './ask-gateway.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { anyOrder, type OrderRow, ownOrder, shown } from './orders.ts'
import { Rejection } from './rejections.ts'
import { takeReversal } from './reversals.ts'

/** Whoever waits for a payment asks often; the gateway is asked less often than that. */
const PATIENCE_MS = 3000

/** An own order. Until it is paid the gateway is asked about it, but an answer is given even if the gateway is silent. */
export async function readOrder(ctx: Ctx, deps: PaymentDeps, id: string): Promise<Order> {
  const order = await ownOrder(ctx, id)
  if (order.paidAt || order.status === 'expired' || !deps.shop || !(await claimQuestion(ctx, id))) return shown(order)
  try {
    await askAboutOrder(deps, order)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof Rejection)) throw error
    deps.log?.warn({ orderId: id, reason: error.message }, 'an awaited payment could not be checked')
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

export async function checkOrder(ctx: Ctx, deps: PaymentDeps, id: string): Promise<Order> {
  openedShop(deps)
  const before = await anyOrder(ctx.db, id)
  await askAboutOrder(deps, before)
  const after = await anyOrder(ctx.db, id)
  await audit(ctx, {
    action: 'order.check',
    kind: 'order',
    target: id,
    before: standing(before),
    after: standing(after),
  })
  return shown(after)
}

interface RefundBody {
  reason: string
  amount?: number | undefined
  refunded?: number | undefined
}

/**
 * Gives money back: all that is left, or a part. Until a refund is known here the same request has the same name at the
 * gateway, so a repeat after silence, or two administrators at once, refund once.
 */
export async function refundOrder(ctx: Ctx, deps: PaymentDeps, id: string, body: RefundBody): Promise<Order> {
  const { gateway } = openedShop(deps)
  const order = await anyOrder(ctx.db, id)
  if (order.status === 'refunded') return shown(order)
  const { uid, amount } = refundable(order, body)
  const refund = await gateway.refund({ uid, amount, reason: body.reason, requestId: requestIdOf(order) })
  if (refund.status !== 'successful') {
    throw new AppError('conflict', 'Платёжная система не вернула деньги. Проверьте платёж в кабинете bePaid.')
  }
  const after = await ctx.db.transaction(async (tx) => {
    await takeReversal(tx, deps, { ...refund, type: 'refund', parent_uid: uid })
    const changed = await anyOrder(tx, id)
    const note = { action: 'order.refund', kind: 'order', target: id, note: body.reason }
    await audit({ ...ctx, db: tx }, { ...note, before: standing(order), after: standing(changed) })
    return changed
  })
  if (refund.amount !== amount) throw isAnother()
  return shown(after)
}

function refundable(order: OrderRow, { amount, refunded }: RefundBody): { uid: string; amount: number } {
  if (order.status !== 'paid' || !order.gatewayUid) {
    throw new AppError('conflict', 'Вернуть можно только деньги за оплаченный заказ.')
  }
  if (refunded !== undefined && refunded !== order.refundedAmount) throw isAnother()
  const left = order.amount - order.refundedAmount
  if (amount !== undefined && amount > left) {
    throw new AppError('bad_request', 'Это больше, чем осталось вернуть по заказу.', { field: 'amount' })
  }
  return { uid: order.gatewayUid, amount: amount ?? left }
}

const isAnother = () =>
  new AppError(
    'conflict',
    'По этому заказу только что вернули другую сумму. Посмотрите, сколько осталось, и повторите.',
  )

/** A UUID, as the gateway wants it: of the order, and of how much had gone back before. */
function requestIdOf({ id, refundedAmount }: OrderRow): string {
  if (refundedAmount === 0) return id
  const hex = createHash('sha256').update(`${id}:${refundedAmount}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

const standing = ({ status, refundedAmount, currency, paidAt }: OrderRow) => ({
  status,
  refundedAmount,
  currency,
  paidAt,
})
