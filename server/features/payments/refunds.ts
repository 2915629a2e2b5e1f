import { createHash } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { AwaitedOrder, Order } from '#contract/payments.ts'
import { orders } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { audit } from '../audit/audit.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { syncOrder } from './gateway-sync.ts'
import { ingest } from './ingest.ts'
import { awaitedOrder, findOrder, type OrderRow, ownOrder, toOrder, withDetails } from './orders.ts'
import { noteRefund, openRefund, refundReason, sendRefund } from './pending-refunds.ts'
import { requirePayments, shopOf } from './shops.ts'

/** Several pages may wait for one payment, but the gateway is asked only this often. */
const ASK_EVERY_MS = 3000

/** While it is unpaid, the gateway is asked; if it is silent, the stored row is returned. */
export async function readOrder(ctx: Ctx, deps: PaymentDeps, id: string): Promise<AwaitedOrder> {
  const order = await ownOrder(ctx, id)
  const isSettled = order.paidAt || order.status === 'expired'
  if (isSettled || !deps.shops[order.gateway] || !(await claimCheck(ctx, id))) return awaitedOrder(ctx.db, order)
  try {
    await syncOrder(deps, order)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof Rejection)) throw error
    deps.log?.warn({ err: error, orderId: id }, 'payments: check of an awaited payment failed')
  }
  return awaitedOrder(ctx.db, await ownOrder(ctx, id))
}

async function claimCheck({ db }: Ctx, id: string): Promise<boolean> {
  const now = Date.now()
  const claimed = await db
    .update(orders)
    .set({ checkRequestedAt: new Date(now) })
    .where(
      and(
        eq(orders.id, id),
        or(isNull(orders.checkRequestedAt), lt(orders.checkRequestedAt, new Date(now - ASK_EVERY_MS))),
      ),
    )
    .returning({ id: orders.id })
  return claimed.length > 0
}

export async function checkOrder(ctx: Ctx, deps: PaymentDeps, id: string): Promise<Order> {
  requirePayments(deps)
  const before = await findOrder(ctx.db, id)
  await syncOrder(deps, before)
  const after = await findOrder(ctx.db, id)
  await audit(ctx, {
    action: 'order.check',
    kind: 'order',
    target: id,
    before: auditState(before),
    after: auditState(after),
  })
  return toOrder(after)
}

interface RefundBody {
  reason: string
  amount?: number | undefined
  refunded?: number | undefined
}

/**
 * Refunds all that is left, or a part. The request id stays the same until the refund is recorded here, so a repeat
 * after a timeout, or two administrators at once, refund once.
 */
export async function refundOrder(ctx: Ctx, deps: PaymentDeps, id: string, body: RefundBody): Promise<Order> {
  requirePayments(deps)
  const order = await findOrder(ctx.db, id)
  if (order.status === 'refunded') return toOrder(order)
  const { uid, amount } = refundable(order, body)
  if (order.gateway === 'yookassa') return refundLater(ctx, deps, order, { amount, reason: body.reason })
  const { gateway } = shopOf(deps, order)
  const { currency } = order
  const refund = await gateway.refund({ uid, amount, currency, reason: body.reason, requestId: requestIdOf(order) })
  if (refund.status !== 'successful') {
    throw new AppError('conflict', 'Платёжная система не вернула деньги. Проверьте платёж в её кабинете.')
  }
  const transaction = { ...refund, type: 'refund', parent_uid: uid }
  const note = { action: 'order.refund', kind: 'order', target: id, note: body.reason, before: auditState(order) }
  await ingest(
    deps,
    { transaction },
    {
      source: 'request',
      gateway: order.gateway,
      orderId: id,
      also: async (tx) => audit({ ...ctx, db: tx }, { ...note, after: auditState(await findOrder(tx, id)) }),
    },
  )
  if (refund.amount !== amount) throw anotherRefund()
  return toOrder(await findOrder(ctx.db, id))
}

/** The gateway may answer «pending»; then the refund is asked about until it ends. */
async function refundLater(ctx: Ctx, deps: PaymentDeps, order: OrderRow, refund: { amount: number; reason: string }) {
  const row = await openRefund(deps, order, refund)
  const note = { action: 'order.refund', kind: 'order', target: order.id, note: refund.reason }
  await audit(ctx, { ...note, before: auditState(order), after: { requested: refund.amount } })
  const reported = await sendRefund(deps, row, order)
  await noteRefund(deps, row, reported)
  if (reported.status === 'failed') {
    throw new AppError('conflict', `Возврат не прошёл: ${refundReason(reported.message ?? '')}.`)
  }
  const [shown] = await withDetails(ctx.db, [toOrder(await findOrder(ctx.db, order.id))])
  return shown ?? toOrder(order)
}

function refundable(order: OrderRow, { amount, refunded }: RefundBody): { uid: string; amount: number } {
  if (order.status !== 'paid' || !order.gatewayUid) {
    throw new AppError('conflict', 'Вернуть можно только деньги за оплаченный заказ.')
  }
  if (refunded !== undefined && refunded !== order.refundedAmount) throw anotherRefund()
  const left = order.amount - order.refundedAmount
  if (amount !== undefined && amount > left) {
    throw new AppError('bad_request', 'Это больше, чем осталось вернуть по заказу.', { field: 'amount' })
  }
  return { uid: order.gatewayUid, amount: amount ?? left }
}

const anotherRefund = () =>
  new AppError(
    'conflict',
    'По этому заказу только что вернули другую сумму. Посмотрите, сколько осталось, и повторите.',
  )

/** The gateway requires a UUID. It is derived from the order and the amount refunded before. */
function requestIdOf({ id, refundedAmount }: OrderRow): string {
  if (refundedAmount === 0) return id
  const hex = createHash('sha256').update(`${id}:${refundedAmount}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

const auditState = ({ status, refundedAmount, currency, paidAt }: OrderRow) => ({
  status,
  refundedAmount,
  currency,
  paidAt,
})
