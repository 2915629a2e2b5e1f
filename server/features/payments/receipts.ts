import { and, asc, eq, lte } from 'drizzle-orm'
import type { Receipt } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { orders, receipts, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { runForEach } from '#server/lib/run-concurrently.ts'
import { type GatewayReceipt, isFinalRefusal } from '#server/payments/gateway.ts'
import type { YookassaShop } from '#server/payments/shop.ts'
import type { YkReceipt } from '#server/payments/yookassa-objects.ts'
import { audit } from '../audit/audit.ts'
import type { PaymentDeps, Payments } from './deps.ts'
import type { OrderRow } from './orders.ts'
import { endProblemsWith, storeProblem } from './problems.ts'
import { type ReceiptRow, toReceipt } from './receipt-rows.ts'
import { nextRetry } from './subscription-state.ts'

/** Fiscal receipts: sent with the payment or the refund, registered by the till some time later. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The law gives a day; after this time an administrator is told. */
const LATE_MS = 12 * HOUR_MS
const BATCH = 50
/** A gateway that hangs must not delay the checks of the other one. */
const LIMITS = { concurrency: 2, deadlineMs: 20_000 }

type Fiscal = Pick<ReceiptRow, 'vatCode' | 'taxSystem' | 'subject' | 'mode'>
type Sold = Pick<OrderRow, 'gateway' | 'title' | 'amount' | 'currency'>

/** Null when the gateway of the order makes no receipts. */
export function receiptFor({ shops }: Payments, order: Sold, email: string): GatewayReceipt | null {
  const settings = order.gateway === 'yookassa' ? shops.yookassa?.receipts : null
  if (!settings || !email) return null
  const { title, amount, currency } = order
  const { vatCode, taxSystem, subject, mode } = settings
  return { email, title, amount, currency, vatCode, taxSystem, subject, mode }
}

interface Paid {
  kind: 'payment' | 'refund'
  uid: string
  amount: number
}

/** In the transaction that counts the payment or the refund; with the settings of that moment. */
export async function addReceipt(tx: Db, { shops }: Payments, order: OrderRow, { kind, uid, amount }: Paid) {
  const settings = order.gateway === 'yookassa' ? shops.yookassa?.receipts : null
  if (!settings || !order.userId) return
  const { by: _, ...fiscal } = settings
  const { gateway, id: orderId, currency } = order
  await tx
    .insert(receipts)
    .values({
      ...{ id: newId(), gateway, orderId, kind, paymentUid: uid, amount, currency, ...fiscal },
      checkAt: new Date(Date.now() + MINUTE_MS),
    })
    .onConflictDoNothing()
}

/** Asks about receipts that are not registered. */
export async function checkReceipts(deps: PaymentDeps, now = new Date()): Promise<void> {
  const shop = deps.shops.yookassa
  if (!shop) return
  const due = await deps.db
    .select()
    .from(receipts)
    .where(and(lte(receipts.checkAt, now), eq(receipts.gateway, 'yookassa')))
    .orderBy(asc(receipts.checkAt))
    .limit(BATCH)
  await runForEach({ ...LIMITS, onBackground: deps.onBackground }, due, async (row) => {
    try {
      await noteReceipt(deps, row, await findReceipt(shop, row), now)
    } catch (error) {
      deps.log?.warn({ err: error, orderId: row.orderId }, 'payments: check of a receipt failed')
      const retry = { checkAt: nextRetry(now, row.failedChecks), failedChecks: row.failedChecks + 1 }
      await deps.db.update(receipts).set(retry).where(isSameAttempt(row))
    }
  })
}

/** One that was sent again is another attempt: answers about the earlier one no longer count. */
const isSameAttempt = ({ id, attempts }: ReceiptRow) =>
  and(eq(receipts.id, id), eq(receipts.attempts, attempts), eq(receipts.state, 'pending'))

/** The registered one, otherwise the one that was sent last. */
async function findReceipt({ gateway }: YookassaShop, row: ReceiptRow): Promise<YkReceipt | null> {
  const found = await gateway.receiptsOf({ kind: row.kind, uid: row.paymentUid })
  const registered = found.find(({ status }) => status === 'succeeded')
  return registered ?? found.find(({ id }) => id === row.uid) ?? found[0] ?? null
}

async function noteReceipt(deps: PaymentDeps, row: ReceiptRow, reported: YkReceipt | null, now: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const isIt = eq(receipts.id, row.id)
    const [current] = await tx.select({ id: receipts.id }).from(receipts).where(isSameAttempt(row)).for('update')
    if (!current) return
    if (reported?.status === 'succeeded') {
      const { id: uid, registered_at, fiscal_storage_number, fiscal_document_number, fiscal_attribute } = reported
      await tx
        .update(receipts)
        .set({
          ...{ uid, state: 'registered', registeredAt: registered_at ?? now, checkAt: null },
          fiscalStorage: fiscal_storage_number ?? null,
          fiscalDocument: fiscal_document_number ?? null,
          fiscalAttribute: fiscal_attribute ?? null,
        })
        .where(isIt)
      return endProblemsWith(tx, `receipt:${row.id}`)
    }
    const uid = reported?.id || null
    if (reported?.status === 'canceled') {
      await tx.update(receipts).set({ uid, state: 'rejected', checkAt: null }).where(isIt)
      return addProblem(tx, row, 'receipt_rejected', `Чек не зарегистрирован: касса его отклонила. ${HOW}`)
    }
    const age = now.getTime() - row.createdAt.getTime()
    const checkAt = new Date(now.getTime() + (age < HOUR_MS ? 5 * MINUTE_MS : HOUR_MS))
    await tx.update(receipts).set({ uid, checkAt, failedChecks: 0 }).where(isIt)
    if (age > LATE_MS) await addProblem(tx, row, 'receipt_late', `Чек до сих пор не зарегистрирован. ${HOW}`)
  })
}

const HOW = 'Проверьте кассу и код НДС в настройках, затем отправьте чек снова из карточки заказа.'

async function addProblem(tx: Db, row: ReceiptRow, kind: 'receipt_rejected' | 'receipt_late', sentence: string) {
  const { id, gateway, orderId, amount, currency, attempts, paymentUid, uid } = row
  const key = `receipt:${id}:${kind}:${attempts}`
  const status = kind === 'receipt_rejected' ? 'canceled' : 'pending'
  await storeProblem(tx, { key, kind, gateway, orderId, amount, currency, sentence, status, uid: uid ?? paymentUid })
}

/** Sends a receipt again, with the settings of now; the rows of others keep theirs. */
export async function repeatReceipt(ctx: Ctx, deps: PaymentDeps, id: string): Promise<Receipt> {
  const { db } = ctx
  const shop = deps.shops.yookassa
  const { row, order, email } = await readWithOrder(db, id)
  if (row.state === 'registered') throw new AppError('conflict', 'Этот чек уже зарегистрирован.')
  // The till may still register the first one, and then there would be two.
  if (row.state === 'pending' && Date.now() - row.createdAt.getTime() < LATE_MS)
    throw new AppError(
      'conflict',
      'Касса ещё регистрирует этот чек. Если он не появится за 12 часов, отправьте его снова.',
    )
  const receipt = receiptFor(deps, { ...order, amount: row.amount }, email ?? '')
  if (!shop || !receipt) throw new AppError('conflict', 'Чеки выключены или покупателя больше нет.')
  const known = await findReceipt(shop, row)
  const isRegistered = known?.status === 'succeeded'
  const again = await openRepeat(db, row, isRegistered ? row : receipt)
  const { kind, paymentUid: uid } = row
  const of = { kind, uid, requestId: `${id}-${again.attempts}` }
  await audit(ctx, { action: 'receipt.repeat', kind: 'order', target: order.id, before: { state: row.state } })
  const sent = isRegistered ? known : await sendOrReject(deps, again, () => shop.gateway.sendReceipt(of, receipt))
  await noteReceipt(deps, again, sent, new Date())
  return toReceipt((await readWithOrder(db, id)).row)
}

async function readWithOrder(db: Db, id: string) {
  const [found] = await db
    .select({ row: receipts, order: orders, email: users.email })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .leftJoin(users, eq(users.id, orders.userId))
    .where(eq(receipts.id, id))
  if (!found) throw notFound('Такого чека нет')
  return found
}

/** Stored before the request: if its answer is lost, the receipt is asked about. Two administrators send one. */
async function openRepeat(db: Db, row: ReceiptRow, fiscal: Fiscal): Promise<ReceiptRow> {
  const { vatCode, taxSystem, subject, mode } = fiscal
  const [again] = await db
    .update(receipts)
    .set({
      ...{ attempts: row.attempts + 1, state: 'pending', uid: null, vatCode, taxSystem, subject, mode },
      ...{ createdAt: new Date(), checkAt: new Date(Date.now() + MINUTE_MS), failedChecks: 0 },
    })
    .where(and(eq(receipts.id, row.id), eq(receipts.attempts, row.attempts)))
    .returning()
  if (!again) throw new AppError('conflict', 'Этот чек только что отправили снова.')
  return again
}

async function sendOrReject(deps: PaymentDeps, row: ReceiptRow, send: () => Promise<YkReceipt>): Promise<YkReceipt> {
  try {
    return await send()
  } catch (error) {
    if (isFinalRefusal(error)) await noteReceipt(deps, row, { id: '', status: 'canceled' }, new Date())
    throw error
  }
}
