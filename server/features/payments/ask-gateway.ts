import { and, eq, isNotNull } from 'drizzle-orm'
import { orders, subscriptions } from '#server/db/schema.ts'
import {
  type GatewayCheckout,
  GatewayError,
  type GatewaySubscription,
  type GatewayTransaction,
} from '#server/payments/gateway.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { noteMissing } from './missing.ts'
import { lockOrder, lockPayment, type OrderRow, trackingIdOf } from './orders.ts'
import { Rejection } from './rejections.ts'
import { takeReversal } from './reversals.ts'
import { keepRefused } from './store-event.ts'
import { applySubscription, expireOrder, type SubscriptionRow, usualEnd } from './subscriptions.ts'
import { judgedPayment, type Payment, paymentIn, takePayment } from './take-payment.ts'
import { refuseUnjudged } from './transaction-kinds.ts'

/** Asks the gateway what became of an order and brings ours in line. The gateway is never asked inside a transaction. */
export async function askAboutOrder(deps: PaymentDeps, order: OrderRow): Promise<void> {
  const { gateway } = openedShop(deps)
  if (order.kind === 'bundle') {
    const checkout = order.gatewayToken && !order.paidAt ? await gateway.checkout(order.gatewayToken) : null
    return checkout ? learnOfCheckout(deps, order, checkout) : learnOfPayments(deps, order)
  }
  const { db } = deps
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, order.subscriptionId ?? ''))
  return row ? askAboutSubscription(deps, row) : learnOfPayments(deps, order)
}

/** Payments are asked for as well: of several periods whose news got lost the subscription names only the last. */
export async function askAboutSubscription(deps: PaymentDeps, row: SubscriptionRow, now = new Date()): Promise<void> {
  const told = await openedShop(deps).gateway.subscription(row.gatewayId)
  if (!told) return noteMissing(deps, row.id, now)
  await learnOfSubscription(deps, told)
  const begun = and(eq(orders.subscriptionId, row.id), eq(orders.kind, 'plan'), isNotNull(orders.paidAt))
  const [base] = await deps.db.select().from(orders).where(begun)
  if (base) await learnOfPayments(deps, base)
}

export async function learnOfSubscription(deps: PaymentDeps, told: GatewaySubscription): Promise<boolean> {
  return recordingRejections(deps, told, async () => {
    const payment = await paymentOf(deps, told)
    return deps.db.transaction(async (tx) => {
      if (payment) await lockPayment(tx, payment.uid)
      return applySubscription(tx, deps, told, payment)
    })
  })
}

/** What the gateway says when asked may be refused as well as what it sends: an administrator sees either. */
async function recordingRejections<T>(deps: PaymentDeps, content: object, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Rejection) await keepRefused(deps, content, error.message)
    throw error
  }
}

/**
 * The payment that a subscription speaks of. The sum is not said there, so the payment itself is asked for; when that
 * cannot be had, the subscription's own terms say what was charged.
 */
export async function paymentOf(deps: PaymentDeps, told: GatewaySubscription): Promise<Payment | null> {
  const last = told.last_transaction
  if (!last) return null
  const transaction = await unlessSilent(openedShop(deps).gateway.transaction(last.uid))
  if (transaction) {
    if (await isCounted(deps, transaction)) return judgedPayment(transaction)
    refuseUnjudged(transaction)
    return paymentIn(transaction)
  }
  const terms = told.state === 'trial' && told.plan.trial ? told.plan.trial : told.plan.plan
  if (last.status !== 'successful' && last.status !== 'failed') return null
  return {
    uid: last.uid,
    successful: last.status === 'successful',
    amount: terms.amount ?? 0,
    currency: told.plan.currency,
    test: told.plan.test ?? false,
    paidAt: last.created_at ?? new Date(),
    receiptUrl: null,
  }
}

async function learnOfCheckout(deps: PaymentDeps, order: OrderRow, checkout: GatewayCheckout): Promise<void> {
  const uid = checkout.gateway_response?.payment?.uid
  const transaction = uid ? await openedShop(deps).gateway.transaction(uid) : null
  if (transaction) await learnOfPayment(deps, order, transaction)
  else if (checkout.expired) await deps.db.transaction((tx) => expireOrder(tx, order.id))
}

/** One that is refused does not stand in the way of the others. */
async function learnOfPayments(deps: PaymentDeps, order: OrderRow): Promise<void> {
  const found = await openedShop(deps).gateway.transactionsByTracking(trackingIdOf(order))
  const rejections: Rejection[] = []
  for (const transaction of found.toSorted((a, b) => momentOf(a) - momentOf(b))) {
    try {
      await learnOfPayment(deps, order, transaction)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      rejections.push(error)
    }
  }
  if (rejections[0]) throw rejections[0]
}

const momentOf = ({ paid_at, created_at }: GatewayTransaction) => Number(paid_at ?? created_at ?? 0)

async function learnOfPayment(deps: PaymentDeps, order: OrderRow, transaction: GatewayTransaction): Promise<void> {
  const payment = (await isCounted(deps, transaction)) ? judgedPayment(transaction) : paymentIn(transaction)
  await recordingRejections(deps, { transaction }, () =>
    deps.db.transaction(async (tx) => {
      if (!payment) return takeReversal(tx, deps, transaction)
      await lockPayment(tx, payment.uid)
      const base = await lockOrder(tx, order.id)
      if (!base) return false
      const { subscriptionId } = base
      const period =
        base.kind === 'bundle' ? null : { subscriptionId, endsAt: await usualEnd(tx, base, payment.paidAt) }
      await takePayment(tx, deps, base, payment, period)
      return true
    }),
  )
}

/** An administrator may have counted what has a kind that we do not know. */
async function isCounted({ db }: PaymentDeps, { uid }: GatewayTransaction): Promise<boolean> {
  return (await db.$count(orders, and(eq(orders.gatewayUid, uid), isNotNull(orders.paidAt)))) > 0
}

/** Null as well when the gateway does not answer: there is another way to know. */
export async function unlessSilent<T>(question: Promise<T | null>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
