import { eq } from 'drizzle-orm'
import type { PaymentEventCard } from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { paymentEvents } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { nullIfUnreachable } from './ask-gateway.ts'
import { type PaymentDeps, Rejection, requireShop } from './deps.ts'
import { lockOrder, lockOrderOf, lockPayment } from './orders.ts'
import { confirmedPayment, type Payment, takePaymentByTerms } from './take-payment.ts'
import { applyEvent, askGatewayFacts } from './webhook.ts'
import { readWebhookEvent, transactionIn, type WebhookEvent } from './webhook-events.ts'
import { type EventRow, findEvent, hasProblem, readEvent, stateOf } from './webhook-events-admin.ts'

/** Applies a webhook event once more. All its effects are keyed by the payment's uid, so nothing happens twice. */
export async function retryEvent(ctx: Ctx, deps: PaymentDeps, id: string): Promise<PaymentEventCard> {
  requireShop(deps)
  const before = stateOf(await findProblemEvent(ctx.db, id))
  const entry = { action: 'payment_event.retry', kind: 'payment_event', target: id, before: { state: before } }
  try {
    const webhookEvent = await readCurrent(ctx.db, deps, id)
    const facts = await askGatewayFacts(deps, webhookEvent)
    await ctx.db.transaction(async (tx) => {
      const event = await lockEvent(tx, id)
      if (!hasProblem(event)) return
      const orphan = !(await applyEvent(tx, deps, webhookEvent, facts))
      const [after] = await tx
        .update(paymentEvents)
        .set({ processedAt: new Date(), orphan, problem: null })
        .where(eq(paymentEvents.id, id))
        .returning()
      await audit({ ...ctx, db: tx }, { ...entry, after: after && { state: stateOf(after) } })
    })
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    await ctx.db.transaction(async (tx) => {
      await tx.update(paymentEvents).set({ problem: error.message }).where(eq(paymentEvents.id, id))
      await audit({ ...ctx, db: tx }, { ...entry, after: { state: 'refused' }, note: error.message })
    })
  }
  return readEvent(ctx, id)
}

/** The stored event may be outdated, so the gateway is asked for the current state of the transaction. */
async function readCurrent(db: Db, deps: PaymentDeps, id: string): Promise<WebhookEvent> {
  const stored = readWebhookEvent((await findEvent(db, id)).body)
  const transaction = transactionIn(stored)
  if (!transaction) return stored
  const current = await nullIfUnreachable(requireShop(deps).gateway.transaction(transaction.uid))
  return current ? readWebhookEvent({ transaction: { ...transaction, ...current } }) : stored
}

/** Counts a payment without an order for an unpaid order of the same amount. */
export async function attachEvent(ctx: Ctx, deps: PaymentDeps, id: string, orderId: string): Promise<PaymentEventCard> {
  requireShop(deps)
  await findProblemEvent(ctx.db, id)
  const transaction = transactionIn(await readCurrent(ctx.db, deps, id))
  const payment = transaction && confirmedPayment(transaction)
  if (!payment?.successful) {
    throw new AppError('conflict', 'Платёжная система не подтверждает, что этот платёж прошёл.')
  }
  await ctx.db.transaction(async (tx) => {
    await lockEvent(tx, id)
    await payOrder(tx, deps, orderId, payment)
    const done = { processedAt: new Date(), orphan: false, problem: null }
    await tx.update(paymentEvents).set(done).where(eq(paymentEvents.id, id))
    const { uid, amount, currency } = payment
    const note = { action: 'payment_event.attach', kind: 'payment_event', target: id }
    await audit({ ...ctx, db: tx }, { ...note, after: { orderId, uid, amount, currency } })
  })
  return readEvent(ctx, id)
}

async function payOrder(tx: Db, deps: PaymentDeps, orderId: string, payment: Payment): Promise<void> {
  await lockPayment(tx, payment.uid)
  const known = await lockOrderOf(tx, payment.uid)
  if (known) throw new AppError('conflict', `Этот платёж уже относится к заказу «${known.title}».`)
  const order = await lockOrder(tx, orderId)
  if (!order) throw notFound('Такого заказа нет')
  if (order.paidAt) throw new AppError('conflict', 'Этот заказ уже оплачен: выберите неоплаченный.')
  await takePaymentByTerms(tx, deps, order, payment)
}

export function resolveEvent(ctx: Ctx, id: string, note: string): Promise<PaymentEventCard> {
  return setResolution(ctx, id, { action: 'payment_event.resolve', note })
}

export function reopenEvent(ctx: Ctx, id: string): Promise<PaymentEventCard> {
  return setResolution(ctx, id, { action: 'payment_event.reopen', note: null })
}

async function setResolution(ctx: Ctx, id: string, { action, note }: { action: string; note: string | null }) {
  await ctx.db.transaction(async (tx) => {
    const event = await lockEvent(tx, id)
    if (note !== null && !hasProblem(event)) throw alreadyProcessed()
    const [resolvedAt, resolvedBy] = note === null ? [null, null] : [new Date(), ctx.user.id]
    await tx.update(paymentEvents).set({ resolvedAt, resolvedBy, resolution: note }).where(eq(paymentEvents.id, id))
    const content = { action, kind: 'payment_event', target: id, before: { resolution: event.resolution } }
    await audit({ ...ctx, db: tx }, { ...content, after: { resolution: note } })
  })
  return readEvent(ctx, id)
}

async function findProblemEvent(db: Db, id: string): Promise<EventRow> {
  const event = await findEvent(db, id)
  if (!hasProblem(event)) throw alreadyProcessed()
  return event
}

const alreadyProcessed = () => new AppError('conflict', 'Это событие уже обработано, делать с ним ничего не нужно.')

async function lockEvent(tx: Db, id: string): Promise<EventRow> {
  const [event] = await tx.select().from(paymentEvents).where(eq(paymentEvents.id, id)).for('update')
  if (!event) throw notFound('Такого события нет')
  return event
}
