import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import { refunds, users } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { runForEach } from '#server/lib/run-concurrently.ts'
import { GatewayError, type GatewayTransaction, isFinalRefusal } from '#server/payments/gateway.ts'
import type { PaymentDeps } from './deps.ts'
import { ingest } from './ingest.ts'
import { findOrder, type OrderRow, tracesOf } from './orders.ts'
import { endProblemsWith, storeProblem } from './problems.ts'
import { receiptFor } from './receipts.ts'
import { shopOf } from './shops.ts'
import { nextRetry } from './subscription-state.ts'

/** Refunds of a gateway that may carry them out later, or cancel them. */

export type RefundRow = typeof refunds.$inferSelect

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A request that is repeated later might be carried out a second time. */
const KEY_LIFE_MS = 23 * HOUR_MS
const BATCH = 50
/** A gateway that hangs must not delay the checks of the other one. */
const LIMITS = { concurrency: 2, deadlineMs: 20_000 }

/** The row is written before the request, so that after a crash the request is repeated with the same key. */
export async function openRefund(
  { db }: PaymentDeps,
  { id: orderId, gateway, currency }: OrderRow,
  { amount, reason }: { amount: number; reason: string },
): Promise<RefundRow> {
  const now = new Date()
  const [row] = await db
    .insert(refunds)
    .values({
      ...{ id: newId(), gateway, orderId, amount, currency, reason, createdAt: now },
      checkAt: new Date(now.getTime() + 2 * MINUTE_MS),
    })
    .onConflictDoNothing()
    .returning()
  if (!row) throw new AppError('conflict', 'По этому заказу уже идёт возврат. Дождитесь, чем он закончится.')
  return row
}

/** A refusal is answered like a cancelled refund: nothing was returned. */
export async function sendRefund(deps: PaymentDeps, row: RefundRow, order: OrderRow): Promise<GatewayTransaction> {
  const { id: requestId, amount, currency, reason } = row
  const { gateway } = shopOf(deps, row)
  const uid = order.gatewayUid ?? ''
  const receipt = receiptFor(deps, { ...order, amount }, await addressOf(deps, order))
  try {
    return await gateway.refund({ uid, amount, currency, reason, requestId, receipt })
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    // The first answer may have been lost: the same key with other data is refused too.
    const made = await findMade(deps, row, order)
    if (!made) deps.log?.error({ err: error, orderId: order.id }, 'payments: the gateway refused a refund')
    return made ?? { uid: '', type: 'refund', status: 'failed', amount, currency, message: 'refused' }
  }
}

async function findMade(deps: PaymentDeps, { id }: RefundRow, order: OrderRow): Promise<GatewayTransaction | null> {
  const made = await shopOf(deps, order).gateway.transactionsOf(tracesOf(order))
  return made.find(({ request_id }) => request_id === id) ?? null
}

async function addressOf({ db }: PaymentDeps, { userId }: OrderRow): Promise<string> {
  const [user] = await db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, userId ?? ''))
  return user?.email ?? ''
}

/** Stores what the gateway says of a refund; a cancelled one becomes a problem. */
export async function noteRefund(deps: PaymentDeps, row: RefundRow, reported: GatewayTransaction): Promise<void> {
  const now = new Date()
  const { uid } = reported
  if (reported.status === 'successful') {
    await ingest(deps, { transaction: reported }, { source: 'request', gateway: row.gateway, orderId: row.orderId })
    const done = { uid, state: 'succeeded' as const, checkAt: null, endedAt: now }
    await deps.db.update(refunds).set(done).where(eq(refunds.id, row.id))
    // An earlier refund of the order was cancelled, and this one was made instead.
    return endProblemsWith(deps.db, `refund:${row.orderId}`)
  }
  if (reported.status === 'failed') return cancel(deps, row, { uid: uid || null, reason: reported.message ?? '' })
  const hours = (now.getTime() - row.createdAt.getTime()) / HOUR_MS
  const checkAt = new Date(now.getTime() + (hours < 1 ? 5 * MINUTE_MS : HOUR_MS))
  await deps.db
    .update(refunds)
    .set({ uid, state: 'pending', checkAt, failedChecks: 0 })
    .where(and(eq(refunds.id, row.id), isNull(refunds.endedAt)))
}

const reasons: Record<string, string> = {
  yoo_money_account_closed: 'кошелёк покупателя закрыт',
  insufficient_funds: 'на счёте магазина не хватает денег. Пополните его и повторите возврат',
  rejected_by_payee: 'банк покупателя не принял деньги',
  rejected_by_timeout: 'банк покупателя не ответил вовремя',
  general_decline: 'причина не названа',
  not_sent: 'запрос не дошёл',
  refused: 'платёжная система не приняла запрос. Проверьте платёж и остаток в её кабинете',
}
export const refundReason = (reason: string) => reasons[reason] ?? 'причина не названа'

async function cancel(deps: PaymentDeps, row: RefundRow, { uid, reason }: { uid: string | null; reason: string }) {
  await deps.db.transaction(async (tx) => {
    const end = { state: 'canceled' as const, cancelReason: reason, uid, checkAt: null, endedAt: new Date() }
    const isOpen = and(eq(refunds.id, row.id), isNull(refunds.endedAt))
    const [ended] = await tx.update(refunds).set(end).where(isOpen).returning({ id: refunds.id })
    if (!ended) return
    const { id, orderId, gateway, amount, currency } = row
    const sentence = `Возврат не прошёл: ${refundReason(reason)}. Деньги остались у магазина, символы у покупателя. Повторите возврат через заказ или верните деньги иначе.`
    await storeProblem(tx, {
      ...{ key: `refund:${orderId}:${id}`, kind: 'refund_canceled', gateway, orderId, amount, currency, sentence },
      ...{ uid: uid ?? id, status: 'canceled' },
    })
    afterCommit(() => deps.log?.error({ orderId }, 'payments: a refund was cancelled by the gateway'))
  })
}

/** Only successful refunds are notified, so the others are asked about. */
export async function checkRefunds(deps: PaymentDeps, now = new Date()): Promise<void> {
  if (!deps.shops.yookassa) return
  const due = await deps.db
    .select()
    .from(refunds)
    .where(and(lte(refunds.checkAt, now), eq(refunds.gateway, 'yookassa')))
    .orderBy(asc(refunds.checkAt))
    .limit(BATCH)
  await runForEach({ ...LIMITS, onBackground: deps.onBackground }, due, async (row) => {
    try {
      await checkRefund(deps, row, now)
    } catch (error) {
      deps.log?.warn({ err: error, orderId: row.orderId }, 'payments: check of a refund failed')
      const checkAt = nextRetry(now, row.failedChecks)
      await deps.db
        .update(refunds)
        .set({ checkAt, failedChecks: row.failedChecks + 1 })
        .where(and(eq(refunds.id, row.id), isNull(refunds.endedAt)))
    }
  })
}

async function checkRefund(deps: PaymentDeps, row: RefundRow, now: Date): Promise<void> {
  const order = await findOrder(deps.db, row.orderId)
  if (row.uid) {
    const reported = await shopOf(deps, row).gateway.transaction(row.uid)
    if (!reported) throw new GatewayError('refused', { status: 404 })
    return noteRefund(deps, row, reported)
  }
  const isRepeatable = now.getTime() - row.createdAt.getTime() < KEY_LIFE_MS
  const made = isRepeatable ? await sendRefund(deps, row, order) : await findMade(deps, row, order)
  return made ? noteRefund(deps, row, made) : cancel(deps, row, { uid: null, reason: 'not_sent' })
}
