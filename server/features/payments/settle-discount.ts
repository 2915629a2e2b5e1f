import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { planVersions, promoCodes } from '#server/db/schema.ts'
import { takeOnce } from '../billing/person-marks.ts'
import { claimDiscount } from '../billing/promo-discount.ts'
import { hasPaidOrder } from '../billing/promo-redeem.ts'
import type { PaymentDeps } from './deps.ts'
import type { OrderRow } from './orders.ts'
import { storeFinding } from './webhook-event-store.ts'

type Rejected = 'код уже использован' | 'код только для первой покупки'

/**
 * Checks the promo code again when the money arrives: it may have been used by another order, or the purchase is no
 * longer the first. Then the money buys symbols at the full price, and an administrator sees a finding.
 */
export async function settleDiscount(tx: Db, deps: PaymentDeps, order: OrderRow, uid: string): Promise<OrderRow> {
  const { id: orderId, userId, promoId } = order
  if (!userId) return order
  const isOwn = promoId === null || (await claimDiscount(tx, { userId, promoId, orderId }))
  const isUnused = promoId === null || (await takeOnce(tx, deps.personKey, userId, `promo:${promoId}`))
  const isFirst = (await takeOnce(tx, deps.personKey, userId, 'purchase')) && !(await hasPaidOrder(tx, userId))
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

async function atFullPrice(tx: Db, order: OrderRow, uid: string, reason: Rejected): Promise<OrderRow> {
  const { planVersionId, amount, currency, title } = order
  const [version] = await tx
    .select({ price: planVersions.price })
    .from(planVersions)
    .where(eq(planVersions.id, planVersionId ?? ''))
  const price = Math.max(version?.price ?? amount, amount)
  const symbols = Math.max(1, Math.floor((order.symbols * amount) / price))
  const problem = `${title} оплачен со скидкой, которой больше нет: ${reason}. Начислено ${symbols} символов из ${order.symbols}, ровно на заплаченную сумму. Если покупатель не согласен, верните деньги через заказ.`
  const finding = { key: `discount:${uid}`, kind: 'payment', status: 'successful', uid, amount, currency } as const
  await storeFinding(tx, { finding: { ...finding, trackingId: null } }, problem)
  return { ...order, symbols, promoId: null, discountPercent: null, title: `${title}, без скидки: ${reason}` }
}
