import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, planVersions, promoCodes, subscriptions } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { newId } from '#server/lib/ids.ts'
import { trackEvent } from '../billing/events.ts'
import { claimOncePerPerson } from '../billing/identity-hashes.ts'
import { grant, prolongGrants } from '../billing/ledger.ts'
import { claimDiscount } from '../promocodes/discount.ts'
import { hasPaidOrder } from '../promocodes/redeem.ts'
import { type PaymentDeps, publishProfile, reject } from './deps.ts'
import { emailPaid } from './emails.ts'
import { lockOrderOf, type OrderRow, type Period } from './orders.ts'
import { storeProblem } from './problems.ts'
import { addReceipt } from './receipts.ts'
import { applyReversals } from './reversals.ts'
import type { Payment } from './transactions.ts'

/**
 * Applies one payment once: the first payment of an order pays it, a later one for a plan is a renewal. The caller
 * holds the locks of the payment's uid and of `base`, and names the period if the gateway has reported it.
 */
export async function applyPayment(
  tx: Db,
  deps: PaymentDeps,
  base: OrderRow,
  payment: Payment,
  reportedPeriod?: Period,
): Promise<void> {
  if (payment.test && !deps.shops[base.gateway]?.test) throw reject('тестовый платёж не принимается')
  const known = await lockOrderOf(tx, payment.uid)
  if (known && (known.paidAt || !payment.successful)) return
  // This card was declined before another card paid the order, so it is not a failed renewal.
  if (!payment.successful && base.paidAt && payment.paidAt <= base.paidAt) return
  const period = reportedPeriod ?? (await periodByTerms(tx, base, payment))
  const order = known ?? (base.paidAt ? await followingOrder(tx, base, period) : base)
  if (!order) throw reject('платёж за подписку, которой нет')
  if (!payment.successful) return noteFailedPayment(tx, order, payment)
  if (payment.amount !== order.amount || payment.currency !== order.currency) {
    throw reject(`сумма ${payment.amount} ${payment.currency} вместо ${order.amount} ${order.currency}`)
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
  if (paid.subscriptionId) await clearRevoked(tx, paid.subscriptionId)
  await grantSymbols(tx, paid, period)
  await keepReplacedSymbols(tx, paid, period)
  await addReceipt(tx, deps, paid, { kind: 'payment', uid: payment.uid, amount: payment.amount })
  await applyReversals(tx, deps, paid)
  await trackEvent(tx, 'Оплата прошла', paid.userId, { orderId: paid.id, kind: paid.kind, ...sumOf(paid) })
  await emailPaid(tx, deps, paid, period)
  if (!paid.userId) await reportOwnerless(tx, deps, paid, payment)
  publishProfile(deps, paid.userId)
}

const DAY_MS = 86_400_000

/** A period that the gateway did not report ends after the interval of the plan. */
async function periodByTerms(tx: Db, base: OrderRow, { paidAt }: Payment): Promise<Period | null> {
  if (base.kind === 'bundle') return null
  const { subscriptionId } = base
  const isCanceled = and(eq(subscriptions.id, subscriptionId ?? ''), isNotNull(subscriptions.cancelRequestedAt))
  const renewal = (await tx.$count(subscriptions, isCanceled)) > 0 ? 'ended' : 'renews'
  return { subscriptionId, endsAt: await endByTerms(tx, base, paidAt), renewal }
}

export async function endByTerms(tx: Db, { planVersionId }: OrderRow, paidAt: Date): Promise<Date> {
  const [version] = await tx
    .select({ days: planVersions.intervalDays })
    .from(planVersions)
    .where(eq(planVersions.id, planVersionId ?? ''))
  return new Date(paidAt.getTime() + (version?.days ?? 0) * DAY_MS)
}

/** A deleted account was charged: no user can get the symbols, so an administrator should refund the money. */
async function reportOwnerless(tx: Db, deps: PaymentDeps, order: OrderRow, { uid, amount, currency }: Payment) {
  const sentence = `Деньги списаны, а аккаунт покупателя удалён: ${order.title}. Символы начислить некому: верните деньги через заказ или в кабинете платёжной системы.`
  const payment = { gateway: order.gateway, orderId: order.id, uid, status: 'successful', amount, currency }
  await storeProblem(tx, { key: `ownerless:${uid}`, kind: 'ownerless_payment', ...payment, sentence })
  afterCommit(() =>
    deps.log?.error({ orderId: order.id, uid }, 'payments: a deleted account was charged, refund needed'),
  )
}

/** Symbols of a plan expire with its period, those of a bundle never do. */
async function grantSymbols(tx: Db, order: OrderRow, period: Period | null): Promise<void> {
  if (!order.userId) return
  await grant(tx, {
    key: `payment:${order.gatewayUid}`,
    userId: order.userId,
    kind: order.kind === 'bundle' ? 'bundle' : 'plan',
    symbols: order.symbols,
    expiresAt: period?.endsAt ?? null,
    orderId: order.id,
    note: order.title,
    ...sumOf(order),
  })
}

/** After a change of plan the symbols left of the old one live as long as the new ones. */
async function keepReplacedSymbols(tx: Db, { userId, replacesId }: OrderRow, period: Period | null): Promise<void> {
  if (!userId || !replacesId || !period) return
  await prolongGrants(tx, { userId, subscriptionId: replacesId, until: period.endsAt })
}

/** A new period is paid, so an earlier refund no longer blocks the subscription. */
async function clearRevoked(tx: Db, subscriptionId: string): Promise<void> {
  await tx.update(subscriptions).set({ revokedAt: null }).where(eq(subscriptions.id, subscriptionId))
}

const sumOf = ({ amount, currency }: OrderRow) => ({ amount, currency })

/** A declined first payment leaves the order payable with another card; a declined renewal is an order of its own. */
async function noteFailedPayment(tx: Db, order: OrderRow, { uid, declineReason }: Payment): Promise<void> {
  if (order.kind === 'renewal') {
    const failed = { ...order, status: 'failed' as const, gatewayUid: uid, declineReason, checkAt: null }
    await tx.insert(orders).values(failed).onConflictDoUpdate({ target: orders.id, set: failed })
  } else if (order.status === 'pending' || order.status === 'failed') {
    await tx.update(orders).set({ status: 'failed', declineReason }).where(eq(orders.id, order.id))
  }
}

/** A further payment on a paid order: the next period of the plan at the full price, or the same bundle again. */
async function followingOrder(tx: Db, base: OrderRow, period: Period | null): Promise<OrderRow | null> {
  const fresh: OrderRow = {
    ...base,
    id: newId(),
    status: 'pending',
    promoId: null,
    discountPercent: null,
    gatewayToken: null,
    redirectUrl: null,
    method: null,
    qr: null,
    redirectExpiresAt: null,
    gatewayUid: null,
    receiptUrl: null,
    refundedAmount: 0,
    checkAt: null,
    checks: 0,
    failedChecks: 0,
    reversalsCheckedAt: null,
    checkRequestedAt: null,
    progress: null,
    declineReason: null,
    replacesId: null,
    createdAt: new Date(),
    paidAt: null,
  }
  if (!base.planVersionId) return fresh
  const subscriptionId = period?.subscriptionId ?? base.subscriptionId
  const [version] = await tx.select().from(planVersions).where(eq(planVersions.id, base.planVersionId))
  if (!version || !subscriptionId) return null
  // The first period may have had a lower price and fewer symbols; renewals have those of the plan.
  return { ...fresh, kind: 'renewal', amount: version.price, symbols: version.symbols, subscriptionId }
}

type DiscountRejection = 'код уже использован' | 'код только для первой покупки'

/**
 * Checks the promo code again when the money arrives: it may have been used by another order, or the purchase is no
 * longer the first. Then the money buys symbols at the full price, and an administrator sees a problem.
 */
async function settleDiscount(tx: Db, deps: PaymentDeps, order: OrderRow, uid: string): Promise<OrderRow> {
  const { id: orderId, userId, promoId } = order
  if (!userId) return order
  const isOwn = promoId === null || (await claimDiscount(tx, { userId, promoId, orderId }))
  const isUnused = promoId === null || (await claimOncePerPerson(tx, deps.identityKey, userId, `promo:${promoId}`))
  const isFirst =
    (await claimOncePerPerson(tx, deps.identityKey, userId, 'purchase')) && !(await hasPaidOrder(tx, userId))
  if (promoId === null) return order
  if (!isOwn || !isUnused) return atFullPrice(tx, order, uid, 'код уже использован')
  return isFirst || !(await isForFirstPurchase(tx, promoId))
    ? order
    : atFullPrice(tx, order, uid, 'код только для первой покупки')
}

async function isForFirstPurchase(tx: Db, promoId: string): Promise<boolean> {
  const [promo] = await tx
    .select({ firstPurchaseOnly: promoCodes.firstPurchaseOnly })
    .from(promoCodes)
    .where(eq(promoCodes.id, promoId))
  return promo?.firstPurchaseOnly ?? false
}

async function atFullPrice(tx: Db, order: OrderRow, uid: string, reason: DiscountRejection): Promise<OrderRow> {
  const { planVersionId, amount, currency, title, gateway } = order
  const [version] = await tx
    .select({ price: planVersions.price })
    .from(planVersions)
    .where(eq(planVersions.id, planVersionId ?? ''))
  const price = Math.max(version?.price ?? amount, amount)
  const symbols = Math.max(1, Math.floor((order.symbols * amount) / price))
  const sentence = `${title} оплачен со скидкой, которой больше нет: ${reason}. Начислено ${symbols} символов из ${order.symbols}, ровно на заплаченную сумму. Если покупатель не согласен, верните деньги через заказ.`
  const payment = { gateway, orderId: order.id, uid, status: 'successful', amount, currency }
  await storeProblem(tx, { key: `discount:${uid}`, kind: 'lost_discount', ...payment, sentence })
  return { ...order, symbols, promoId: null, discountPercent: null, title: `${title}, без скидки: ${reason}` }
}
