import { and, eq, gt, ne } from 'drizzle-orm'
import type { GatewayName } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { grants, orders, reversals, subscriptions } from '#server/db/schema.ts'
import type { GatewayTransaction } from '#server/payments/gateway.ts'
import { trackEvent } from '../billing/events.ts'
import { takeBack } from '../billing/ledger.ts'
import { type PaymentDeps, publishProfile, reject } from './deps.ts'
import { emailRefunded } from './emails.ts'
import { lockOrderOf, lockPayment, type OrderRow } from './orders.ts'
import { addReceipt } from './receipts.ts'
import { kindOf, rejectUnknownKind } from './transactions.ts'

const reversalKinds = { refund: 'take_back', chargeback: 'chargeback' } as const
type Kind = keyof typeof reversalKinds

const isReversal = (kind: string): kind is Kind => kind in reversalKinds

/** Applies a refund or a chargeback; false while its payment is not known. */
export async function applyReversal(
  tx: Db,
  deps: PaymentDeps,
  event: GatewayTransaction,
  gateway: GatewayName,
): Promise<boolean> {
  const { uid, amount, currency, parent_uid: parentUid, test } = event
  const kind = kindOf(event.type)
  rejectUnknownKind(event)
  if (!isReversal(kind) || !parentUid || event.status !== 'successful') return false
  if (test && !deps.shops[gateway]?.test) throw reject('тестовый возврат не принимается')
  await lockPayment(tx, parentUid)
  await tx.insert(reversals).values({ gateway, uid, parentUid, kind, amount, currency }).onConflictDoNothing()
  const order = await lockOrderOf(tx, parentUid)
  if (!order?.paidAt) return false
  await applyReversals(tx, deps, order)
  return true
}

/**
 * Applies all reversals of a paid order; they may have arrived before the payment. A partial refund leaves the
 * symbols; a full refund or a chargeback takes the remaining ones.
 */
export async function applyReversals(tx: Db, deps: PaymentDeps, order: OrderRow): Promise<void> {
  const known = await tx
    .select()
    .from(reversals)
    .where(eq(reversals.parentUid, order.gatewayUid ?? ''))
  if (known.length === 0) return
  if (known.some(({ currency }) => currency !== order.currency)) throw reject('возврат в другой валюте')
  for (const { uid, kind, amount } of known)
    if (kind === 'refund') await addReceipt(tx, deps, order, { kind, uid, amount })
  const refundedAmount = known.reduce((sum, { amount }) => sum + amount, 0)
  const chargeback = known.find(({ kind }) => kind === 'chargeback')
  const last = chargeback ?? (refundedAmount >= order.amount ? known.at(-1) : undefined)
  const status = last ? (chargeback ? 'charged_back' : 'refunded') : order.status
  await tx.update(orders).set({ refundedAmount, status }).where(eq(orders.id, order.id))
  const newest = known.filter(({ kind }) => kind === 'refund').at(-1)
  const tell = async (taken: number, isWhole: boolean) => {
    if (newest && !chargeback && refundedAmount > order.refundedAmount)
      await emailRefunded(tx, deps, order, { uid: newest.uid, amount: newest.amount, taken, isWhole })
  }
  if (!last || status === order.status) return tell(0, false)
  await endSubscription(tx, order)
  const [given] = await tx.select({ id: grants.id }).from(grants).where(eq(grants.orderId, order.id))
  let taken = 0
  if (given) {
    const { kind, amount, currency } = last
    const note = `${kind === 'refund' ? 'Возврат денег' : 'Деньги отозвал банк'}: ${order.title}`
    taken = await takeBack(tx, {
      key: `reversal:${last.uid}`,
      grantId: given.id,
      kind: reversalKinds[kind],
      amount: -amount,
      currency,
      note,
    })
  }
  await trackEvent(tx, 'Деньги возвращены', order.userId, {
    orderId: order.id,
    kind: last.kind,
    amount: refundedAmount,
  })
  await tell(taken, true)
  publishProfile(deps, order.userId)
}

/** After the money of the current period is returned, the subscription is not charged for the next one. */
async function endSubscription(tx: Db, { subscriptionId, paidAt, id }: OrderRow): Promise<void> {
  if (!subscriptionId || !paidAt) return
  const ofSubscription = eq(orders.subscriptionId, subscriptionId)
  const later = await tx.$count(orders, and(ofSubscription, ne(orders.id, id), gt(orders.paidAt, paidAt)))
  if (later > 0) return
  const now = new Date()
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)).for('update')
  await tx
    .update(subscriptions)
    .set({
      revokedAt: now,
      cancelRequestedAt: row?.cancelRequestedAt ?? now,
      checkAt: row?.canceledAt ? null : now,
    })
    .where(eq(subscriptions.id, subscriptionId))
}
