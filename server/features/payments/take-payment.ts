import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, planVersions, subscriptions } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { newId } from '#server/lib/ids.ts'
import type { GatewayTransaction } from '#server/payments/gateway.ts'
import { track } from '../billing/events.ts'
import { grant } from '../billing/ledger.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { emailPaid } from './emails.ts'
import { lockOrderOf, type OrderRow } from './orders.ts'
import { refuse } from './rejections.ts'
import { applyReversals } from './reversals.ts'
import { settleDiscount } from './settle-discount.ts'
import { keepFinding } from './store-event.ts'
import { kindOf } from './transaction-kinds.ts'

/** Money the gateway says it took, or tried to. */
export interface Payment {
  uid: string
  successful: boolean
  amount: number
  currency: string
  test: boolean
  paidAt: Date
  receiptUrl: string | null
}

/** What a payment for a plan pays for. */
export interface Period {
  subscriptionId: string | null
  endsAt: Date
}

/**
 * Applies one payment once: the first for an order pays it, a later one for a plan is a renewal. The caller holds the
 * locks of the payment's number and of `base`.
 */
export async function takePayment(
  tx: Db,
  deps: PaymentDeps,
  base: OrderRow,
  payment: Payment,
  period: Period | null,
): Promise<void> {
  if (payment.test && !deps.shop?.test) throw refuse('тестовый платёж не принимается')
  const known = await lockOrderOf(tx, payment.uid)
  if (known && (known.paidAt || !payment.successful)) return
  // A card that was declined before another one paid: no renewal has failed.
  if (!payment.successful && base.paidAt && payment.paidAt <= base.paidAt) return
  const order = known ?? (base.paidAt ? await followingOrder(tx, base, period) : base)
  if (!order) throw refuse('платёж за подписку, которой нет')
  if (!payment.successful) return noteFailedPayment(tx, order, payment)
  if (payment.amount !== order.amount || payment.currency !== order.currency) {
    throw refuse(`сумма ${payment.amount} ${payment.currency} вместо ${order.amount} ${order.currency}`)
  }
  const paid: OrderRow = {
    ...(await settleDiscount(tx, deps, order, payment.uid)),
    status: 'paid',
    gatewayUid: payment.uid,
    paidAt: payment.paidAt,
    receiptUrl: payment.receiptUrl,
    subscriptionId: period?.subscriptionId ?? order.subscriptionId,
    checkAt: null,
  }
  await tx.insert(orders).values(paid).onConflictDoUpdate({ target: orders.id, set: paid })
  if (paid.subscriptionId) await resume(tx, paid.subscriptionId)
  await give(tx, paid, period)
  await applyReversals(tx, deps, paid)
  await track(tx, 'Оплата прошла', paid.userId, { orderId: paid.id, kind: paid.kind, ...sumOf(paid) })
  await emailPaid(tx, deps, paid, period?.endsAt ?? null)
  if (!paid.userId) await reportOwnerless(tx, deps, paid, payment)
  publishProfile(deps, paid.userId)
}

/** Money of somebody whose account is gone: no symbols can be given for it, so it should go back. */
async function reportOwnerless(tx: Db, deps: PaymentDeps, order: OrderRow, { uid, amount, currency }: Payment) {
  const finding = { key: `ownerless:${uid}`, kind: 'payment', status: 'successful', uid, amount, currency } as const
  const problem = `Деньги списаны, а аккаунт покупателя удалён: ${order.title}. Символы начислить некому: верните деньги через заказ или в кабинете bePaid.`
  await keepFinding(tx, { finding: { ...finding, trackingId: null } }, problem)
  afterCommit(() =>
    deps.log?.error({ orderId: order.id, uid }, 'a deleted account was charged: the money should go back'),
  )
}

/** Symbols of a plan run out with its period, those of a bundle never do. Whoever has left gets none. */
async function give(tx: Db, order: OrderRow, period: Period | null): Promise<void> {
  if (!order.userId) return
  await grant(tx, {
    key: `bepaid:${order.gatewayUid}`,
    userId: order.userId,
    kind: order.kind === 'bundle' ? 'bundle' : 'plan',
    symbols: order.symbols,
    expiresAt: period?.endsAt ?? null,
    orderId: order.id,
    note: order.title,
    ...sumOf(order),
  })
}

/** A period is paid for again, whatever became of the one before. */
async function resume(tx: Db, subscriptionId: string): Promise<void> {
  await tx.update(subscriptions).set({ revokedAt: null }).where(eq(subscriptions.id, subscriptionId))
}

const sumOf = ({ amount, currency }: OrderRow) => ({ amount, currency })

/** A declined card: the order may still be paid with another one, a renewal is noted as an order of its own. */
async function noteFailedPayment(tx: Db, order: OrderRow, { uid }: Payment): Promise<void> {
  if (order.kind === 'renewal') {
    await tx.insert(orders).values({ ...order, status: 'failed', gatewayUid: uid })
  } else if (order.status === 'pending') {
    await tx.update(orders).set({ status: 'failed' }).where(eq(orders.id, order.id))
  }
}

/** The order that a further payment on a paid one stands for: the next period at the full price, or the same again. */
async function followingOrder(tx: Db, base: OrderRow, period: Period | null): Promise<OrderRow | null> {
  const fresh: OrderRow = {
    ...base,
    id: newId(),
    status: 'pending',
    promoId: null,
    discountPercent: null,
    gatewayToken: null,
    redirectUrl: null,
    redirectExpiresAt: null,
    gatewayUid: null,
    receiptUrl: null,
    refundedAmount: 0,
    checkAt: null,
    checks: 0,
    failedChecks: 0,
    reversalsCheckedAt: null,
    askedAt: null,
    createdAt: new Date(),
    paidAt: null,
  }
  if (!base.planVersionId) return fresh
  const subscriptionId = period?.subscriptionId ?? base.subscriptionId
  const [version] = await tx.select().from(planVersions).where(eq(planVersions.id, base.planVersionId))
  return version && subscriptionId ? { ...fresh, kind: 'renewal', amount: version.price, subscriptionId } : null
}

/** A payment that is neither done nor declined yet says nothing. */
export function paymentIn(transaction: GatewayTransaction): Payment | null {
  return kindOf(transaction.type) === 'payment' ? asPayment(transaction) : null
}

/** The same for a kind that we do not know, once an administrator has judged it to be a payment. */
export function judgedPayment(transaction: GatewayTransaction): Payment | null {
  return kindOf(transaction.type) === 'unknown' ? asPayment(transaction) : paymentIn(transaction)
}

function asPayment(transaction: GatewayTransaction): Payment | null {
  const { uid, status, amount, currency, test, paid_at, created_at, receipt_url } = transaction
  if (status === 'incomplete' || status === 'pending') return null
  return {
    uid,
    successful: status === 'successful',
    amount,
    currency,
    test: test ?? false,
    paidAt: paid_at ?? created_at ?? new Date(),
    receiptUrl: receipt_url ?? null,
  }
}
