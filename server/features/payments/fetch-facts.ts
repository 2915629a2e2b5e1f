import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, subscriptions } from '#server/db/schema.ts'
import { GatewayError, type GatewaySubscription, type GatewayTransaction } from '#server/payments/gateway.ts'
import { declineReasonOf } from './decline-reason.ts'
import type { PaymentDeps } from './deps.ts'
import { orderIdIn } from './orders.ts'
import type { Report } from './reports.ts'
import { requireBepaid } from './shops.ts'
import { confirmedPayment, type Payment, paymentIn, rejectUnknownKind } from './transactions.ts'

export interface Facts {
  payment: Payment | null
  subscription: GatewaySubscription | null
  orderId: string | null
}

/**
 * Asks the gateway for what the report lacks, before the transaction: no HTTP request runs while rows are locked.
 * Nothing more is asked about the payments of an order that the caller has just asked about.
 */
export async function fetchFacts(deps: PaymentDeps, { content }: Report, knownOrderId?: string): Promise<Facts> {
  if (content.kind === 'payment') {
    const { transaction } = content
    const orderId = knownOrderId ?? orderIdIn(transaction.tracking_id)
    const subscription = knownOrderId ? null : await fetchSubscriptionOf(deps, orderId)
    return { payment: paymentIn(transaction), subscription, orderId }
  }
  const payment = content.kind === 'subscription' ? await fetchLastPayment(deps, content.subscription) : null
  return { payment, subscription: null, orderId: null }
}

/** A payment for a plan does not name its period; the subscription does. */
async function fetchSubscriptionOf(deps: PaymentDeps, orderId: string | null): Promise<GatewaySubscription | null> {
  const [row] = await deps.db
    .select({ gatewayId: subscriptions.gatewayId })
    .from(orders)
    .innerJoin(subscriptions, eq(subscriptions.id, orders.subscriptionId))
    .where(and(eq(orders.id, orderId ?? ''), eq(orders.kind, 'plan'), eq(subscriptions.gateway, 'bepaid')))
  return row ? nullIfUnreachable(requireBepaid(deps).gateway.subscription(row.gatewayId)) : null
}

/**
 * The last payment of a subscription. Its amount is not in the subscription, so the transaction is asked for; if the
 * gateway does not answer, the amount comes from the terms of the subscription.
 */
async function fetchLastPayment(deps: PaymentDeps, reported: GatewaySubscription): Promise<Payment | null> {
  const last = reported.last_transaction
  if (!last) return null
  const transaction = await nullIfUnreachable(requireBepaid(deps).gateway.transaction(last.uid))
  if (transaction) {
    if (await isCountedAsPayment(deps.db, transaction)) return confirmedPayment(transaction)
    rejectUnknownKind(transaction)
    return paymentIn(transaction)
  }
  const { state, plan } = reported
  const terms = state === 'trial' && plan.trial ? plan.trial : plan.plan
  if (last.status !== 'successful' && last.status !== 'failed') return null
  return {
    uid: last.uid,
    successful: last.status === 'successful',
    amount: terms.amount ?? 0,
    currency: plan.currency,
    test: plan.test ?? false,
    paidAt: last.created_at ?? new Date(),
    receiptUrl: null,
    declineReason: last.status === 'failed' ? declineReasonOf(last) : null,
    method: null,
  }
}

/** True for a transaction of an unknown kind that an administrator has counted as a payment. */
export async function isCountedAsPayment(db: Db, { uid }: GatewayTransaction): Promise<boolean> {
  return (await db.$count(orders, and(eq(orders.gatewayUid, uid), isNotNull(orders.paidAt)))) > 0
}

/** Null also when the gateway does not answer. */
export async function nullIfUnreachable<T>(request: Promise<T | null>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
