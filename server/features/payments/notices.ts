import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, subscriptions } from '#server/db/schema.ts'
import type { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { paymentOf, unlessSilent } from './ask-gateway.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { readFacts, type StoredWebhook } from './notice-facts.ts'
import { lockOrder, lockPayment, orderIdIn } from './orders.ts'
import { takeReversal } from './reversals.ts'
import { applySubscription, expireOrder, usualEnd } from './subscriptions.ts'
import { paymentIn, takePayment } from './take-payment.ts'
import { kindOf } from './transaction-kinds.ts'

/** Applies news in the transaction it is given; false when they are of nothing that we know. */
export type Apply = (tx: Db) => Promise<boolean>

export interface Notice extends StoredWebhook {
  /** The payment it is about, if it is one. */
  transaction: GatewayTransaction | null
  /** Asks the gateway whatever must be known first: inside the transaction there is no time for that. */
  prepare: (deps: PaymentDeps) => Promise<Apply>
}

export function readNotice(content: unknown): Notice {
  const kept = readFacts(content)
  const { about } = kept
  const transaction = about && 'transaction' in about ? about.transaction : null
  return { ...kept, transaction, prepare: (deps) => prepare(deps, about) }
}

async function prepare(deps: PaymentDeps, about: StoredWebhook['about']): Promise<Apply> {
  if (!about) return async () => false
  if ('subscription' in about) return ofSubscription(deps, about.subscription)
  if ('closedPage' in about) return (tx) => closePage(tx, about.closedPage)
  const { transaction } = about
  if (kindOf(transaction.type) === 'payment') return ofPayment(deps, transaction)
  return (tx) => takeReversal(tx, deps, transaction)
}

/** A payment for a plan says nothing of its period, so the subscription is asked for. */
async function ofPayment(deps: PaymentDeps, transaction: GatewayTransaction): Promise<Apply> {
  const orderId = orderIdIn(transaction.tracking_id)
  const payment = paymentIn(transaction)
  const [row] = orderId
    ? await deps.db
        .select({ gatewayId: subscriptions.gatewayId })
        .from(orders)
        .innerJoin(subscriptions, eq(subscriptions.id, orders.subscriptionId))
        .where(and(eq(orders.id, orderId), eq(orders.kind, 'plan')))
    : []
  const told = row ? await unlessSilent(openedShop(deps).gateway.subscription(row.gatewayId)) : null
  return async (tx) => {
    if (payment) await lockPayment(tx, payment.uid)
    if (told) return applySubscription(tx, deps, told, payment)
    const base = await lockOrder(tx, orderId)
    if (!base) return false
    if (!payment) return true
    const { subscriptionId, kind } = base
    const period = kind === 'bundle' ? null : { subscriptionId, endsAt: await usualEnd(tx, base, payment.paidAt) }
    await takePayment(tx, deps, base, payment, period)
    return true
  }
}

async function ofSubscription(deps: PaymentDeps, told: GatewaySubscription): Promise<Apply> {
  const payment = await paymentOf(deps, told)
  return async (tx) => {
    if (payment) await lockPayment(tx, payment.uid)
    return applySubscription(tx, deps, told, payment)
  }
}

async function closePage(tx: Db, { token, order }: GatewayCheckout): Promise<boolean> {
  const [known] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.gatewayToken, token))
  const locked = await lockOrder(tx, known?.id ?? orderIdIn(order.tracking_id))
  if (!locked) return false
  if (!locked.gatewayToken || locked.gatewayToken === token) await expireOrder(tx, locked.id)
  return true
}
