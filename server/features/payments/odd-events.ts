import { eq } from 'drizzle-orm'
import type { PaymentEventCard } from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { paymentEvents } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { unlessSilent } from './ask-gateway.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { type Notice, readNotice } from './notices.ts'
import { lockOrder, lockOrderOf, lockPayment } from './orders.ts'
import { anyEvent, type EventRow, isOdd, readEvent, stateOf } from './payment-events.ts'
import { Rejection } from './rejections.ts'
import { usualEnd } from './subscriptions.ts'
import { judgedPayment, type Payment, takePayment } from './take-payment.ts'

/** What an administrator does about news that could not be applied. */

/** Applies it once more. Everything it could do is keyed by the payment's number, so nothing is done twice. */
export async function retryEvent(ctx: Ctx, deps: PaymentDeps, id: string): Promise<PaymentEventCard> {
  openedShop(deps)
  const before = stateOf(await oddOne(ctx.db, id))
  const noted = { action: 'payment_event.retry', kind: 'payment_event', target: id, before: { state: before } }
  try {
    const apply = await (await truthOf(ctx.db, deps, id)).prepare(deps)
    await ctx.db.transaction(async (tx) => {
      const event = await lockEvent(tx, id)
      if (!isOdd(event)) return
      const orphan = !(await apply(tx))
      const [after] = await tx
        .update(paymentEvents)
        .set({ processedAt: new Date(), orphan, problem: null })
        .where(eq(paymentEvents.id, id))
        .returning()
      await audit({ ...ctx, db: tx }, { ...noted, after: after && { state: stateOf(after) } })
    })
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    await ctx.db.transaction(async (tx) => {
      await tx.update(paymentEvents).set({ problem: error.message }).where(eq(paymentEvents.id, id))
      await audit({ ...ctx, db: tx }, { ...noted, after: { state: 'refused' }, note: error.message })
    })
  }
  return readEvent(ctx, id)
}

/** News may be old or wrong by now: of a payment the gateway itself is asked. */
async function truthOf(db: Db, deps: PaymentDeps, id: string): Promise<Notice> {
  const notice = readNotice((await anyEvent(db, id)).body)
  if (!notice.transaction) return notice
  const told = await unlessSilent(openedShop(deps).gateway.transaction(notice.transaction.uid))
  return told ? readNotice({ transaction: { ...notice.transaction, ...told } }) : notice
}

/** Counts a payment of nobody's for an order of the same sum that nobody has paid. */
export async function attachEvent(ctx: Ctx, deps: PaymentDeps, id: string, orderId: string): Promise<PaymentEventCard> {
  openedShop(deps)
  await oddOne(ctx.db, id)
  const { transaction } = await truthOf(ctx.db, deps, id)
  const payment = transaction && judgedPayment(transaction)
  if (!payment?.successful) {
    throw new AppError('conflict', 'Платёжная система не подтверждает, что этот платёж прошёл.')
  }
  await ctx.db.transaction(async (tx) => {
    await lockEvent(tx, id)
    await payFor(tx, deps, orderId, payment)
    const done = { processedAt: new Date(), orphan: false, problem: null }
    await tx.update(paymentEvents).set(done).where(eq(paymentEvents.id, id))
    const { uid, amount, currency } = payment
    const note = { action: 'payment_event.attach', kind: 'payment_event', target: id }
    await audit({ ...ctx, db: tx }, { ...note, after: { orderId, uid, amount, currency } })
  })
  return readEvent(ctx, id)
}

async function payFor(tx: Db, deps: PaymentDeps, orderId: string, payment: Payment): Promise<void> {
  await lockPayment(tx, payment.uid)
  const known = await lockOrderOf(tx, payment.uid)
  if (known) throw new AppError('conflict', `Этот платёж уже относится к заказу «${known.title}».`)
  const order = await lockOrder(tx, orderId)
  if (!order) throw notFound('Такого заказа нет')
  if (order.paidAt) throw new AppError('conflict', 'Этот заказ уже оплачен: выберите неоплаченный.')
  const { kind, subscriptionId } = order
  const period = kind === 'bundle' ? null : { subscriptionId, endsAt: await usualEnd(tx, order, payment.paidAt) }
  await takePayment(tx, deps, order, payment, period)
}

export function resolveEvent(ctx: Ctx, id: string, note: string): Promise<PaymentEventCard> {
  return mark(ctx, id, { action: 'payment_event.resolve', note })
}

export function reopenEvent(ctx: Ctx, id: string): Promise<PaymentEventCard> {
  return mark(ctx, id, { action: 'payment_event.reopen', note: null })
}

async function mark(ctx: Ctx, id: string, { action, note }: { action: string; note: string | null }) {
  await ctx.db.transaction(async (tx) => {
    const event = await lockEvent(tx, id)
    if (note !== null && !isOdd(event)) throw isFine()
    const [resolvedAt, resolvedBy] = note === null ? [null, null] : [new Date(), ctx.user.id]
    await tx.update(paymentEvents).set({ resolvedAt, resolvedBy, resolution: note }).where(eq(paymentEvents.id, id))
    const content = { action, kind: 'payment_event', target: id, before: { resolution: event.resolution } }
    await audit({ ...ctx, db: tx }, { ...content, after: { resolution: note } })
  })
  return readEvent(ctx, id)
}

async function oddOne(db: Db, id: string): Promise<EventRow> {
  const event = await anyEvent(db, id)
  if (!isOdd(event)) throw isFine()
  return event
}

const isFine = () => new AppError('conflict', 'Это событие уже обработано, делать с ним ничего не нужно.')

async function lockEvent(tx: Db, id: string): Promise<EventRow> {
  const [event] = await tx.select().from(paymentEvents).where(eq(paymentEvents.id, id)).for('update')
  if (!event) throw notFound('Такого события нет')
  return event
}
