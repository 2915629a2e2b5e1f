import { eq } from 'drizzle-orm'
import type { PaymentEventCard } from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { paymentEvents, paymentProblems } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { readEvent } from './event-card.ts'
import { type EventRow, findEvent, hasProblem, lockEvent, noEvent, storeOutcome } from './event-store.ts'
import { stateOf } from './events-admin.ts'
import { nullIfUnreachable } from './fetch-facts.ts'
import { applyStored } from './ingest.ts'
import { lockOrder, lockOrderOf, lockPayment } from './orders.ts'
import { applyToLocked } from './own-subscriptions.ts'
import { type Report, readReport, transactionIn } from './reports.ts'
import { requirePayments, shopOf } from './shops.ts'
import { confirmedPayment, type Payment } from './transactions.ts'

/** Applies an event once more. All its effects are keyed by the payment's uid, so nothing happens twice. */
export async function retryEvent(ctx: Ctx, deps: PaymentDeps, id: string): Promise<PaymentEventCard> {
  requirePayments(deps)
  const stored = await findProblemEvent(ctx.db, id)
  const entry = { action: 'payment_event.retry', kind: 'payment_event', target: id, before: { state: stateOf(stored) } }
  try {
    await applyStored(deps, stored, await readCurrent(deps, stored), {
      source: 'request',
      also: (tx, event) =>
        audit({ ...ctx, db: tx }, { ...entry, after: { state: stateOf(event) }, note: event.problem ?? undefined }),
    })
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
  }
  return readEvent(ctx, id)
}

/** The stored event may be outdated, so the gateway is asked for the current state of the transaction. */
async function readCurrent(deps: PaymentDeps, event: EventRow): Promise<Report> {
  const stored = readReport(event.body)
  const transaction = transactionIn(stored)
  if (!transaction) return stored
  const current = await nullIfUnreachable(shopOf(deps, event).gateway.transaction(transaction.uid))
  return current ? readReport({ transaction: { ...transaction, ...current } }) : stored
}

/** Counts a payment without an order for an unpaid order of the same amount. */
export async function attachEvent(ctx: Ctx, deps: PaymentDeps, id: string, orderId: string): Promise<PaymentEventCard> {
  requirePayments(deps)
  const stored = await findProblemEvent(ctx.db, id)
  const transaction = transactionIn(await readCurrent(deps, stored))
  const payment = transaction && confirmedPayment(transaction)
  if (!payment?.successful) {
    throw new AppError('conflict', 'Платёжная система не подтверждает, что этот платёж прошёл.')
  }
  await ctx.db.transaction(async (tx) => {
    const event = await lockEvent(tx, id)
    await payOrder(tx, deps, orderId, payment)
    await storeOutcome(tx, event, { orphan: false })
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
  await applyToLocked(tx, deps, order, payment)
}

export function resolveEvent(ctx: Ctx, id: string, note: string): Promise<PaymentEventCard> {
  return setResolution(ctx, id, { action: 'payment_event.resolve', note })
}

export function reopenEvent(ctx: Ctx, id: string): Promise<PaymentEventCard> {
  return setResolution(ctx, id, { action: 'payment_event.reopen', note: null })
}

async function setResolution(ctx: Ctx, id: string, { action, note }: { action: string; note: string | null }) {
  await ctx.db.transaction(async (tx) => {
    const { isOpen, resolution } = await lockListed(tx, id)
    if (note !== null && !isOpen) throw alreadyProcessed()
    const [resolvedAt, resolvedBy] = note === null ? [null, null] : [new Date(), ctx.user.id]
    const change = { resolvedAt, resolvedBy, resolution: note }
    await tx.update(paymentEvents).set(change).where(eq(paymentEvents.id, id))
    await tx.update(paymentProblems).set(change).where(eq(paymentProblems.id, id))
    const content = { action, kind: 'payment_event', target: id, before: { resolution } }
    await audit({ ...ctx, db: tx }, { ...content, after: { resolution: note } })
  })
  return readEvent(ctx, id)
}

/** The event or the problem with this id: the list shows both. */
async function lockListed(tx: Db, id: string): Promise<{ isOpen: boolean; resolution: string | null }> {
  const [event] = await tx.select().from(paymentEvents).where(eq(paymentEvents.id, id)).for('update')
  if (event) return { isOpen: hasProblem(event), resolution: event.resolution }
  const [problem] = await tx.select().from(paymentProblems).where(eq(paymentProblems.id, id)).for('update')
  if (problem) return { isOpen: problem.endedAt === null, resolution: problem.resolution }
  throw noEvent()
}

async function findProblemEvent(db: Db, id: string): Promise<EventRow> {
  const event = await findEvent(db, id)
  if (!hasProblem(event)) throw alreadyProcessed()
  return event
}

const alreadyProcessed = () => new AppError('conflict', 'Это событие уже обработано, делать с ним ничего не нужно.')
