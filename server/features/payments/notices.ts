import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import type { PaymentEventKind } from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { orders, subscriptions } from '#server/db/schema.ts'
import { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { paymentOf, unlessSilent } from './ask-gateway.ts'
import { lockOrder, lockPayment, orderIdIn } from './orders.ts'
import { takeReversal } from './reversals.ts'
import { applySubscription, expireOrder, usualEnd } from './subscriptions.ts'
import { paymentIn, takePayment } from './take-payment.ts'
import { openedShop, type PaymentWorld } from './world.ts'

/** Applies news in the transaction it is given; false when they are of nothing that we know. */
export type Apply = (tx: Db) => Promise<boolean>

/** What one piece of news says at a glance. */
export interface NoticeFacts {
  kind: PaymentEventKind
  status: string | null
  uid: string | null
  amount: number | null
  currency: string | null
  trackingId: string | null
}

export interface Notice {
  /** The same news has the same key, however often it comes. */
  key: string
  /** Every name it mentions: by them it is found again. */
  refs: string[]
  facts: NoticeFacts
  /** The payment it is about, if it is one. */
  transaction: GatewayTransaction | null
  /** Asks the gateway whatever must be known first: inside the transaction there is no time for that. */
  prepare: (world: PaymentWorld) => Promise<Apply>
}

const named = (...names: (string | null | undefined)[]) => names.filter((name) => typeof name === 'string')

/** Three shapes: a payment, a subscription, a pay page that closed. What else may come is kept as it is. */
export function readNotice(content: unknown): Notice {
  const transaction = z.object({ transaction: GatewayTransaction }).safeParse(content)
  if (transaction.success) return ofTransaction(transaction.data.transaction)
  const subscription = GatewaySubscription.safeParse(content)
  if (subscription.success) return ofSubscription(subscription.data)
  const page = GatewayCheckout.extend({ expired: z.literal(true) }).safeParse(content)
  if (page.success) return ofClosedPage(page.data)
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const facts = { kind: 'unknown', status: null, uid: null, amount: null, currency: null, trackingId: null } as const
  return { key: `unknown:${hash}`, refs: [], facts, transaction: null, prepare: async () => async () => false }
}

function ofTransaction(transaction: GatewayTransaction): Notice {
  const { uid, type, status, amount, currency, tracking_id, parent_uid } = transaction
  const kind = type === 'payment' || type === 'refund' || type === 'chargeback' ? type : 'unknown'
  return {
    key: `tx:${uid}:${type}:${status}`,
    refs: named(uid, parent_uid, tracking_id),
    facts: { kind, status, uid, amount, currency, trackingId: tracking_id ?? null },
    transaction,
    prepare: (world) => (type === 'payment' ? ofPayment(world, transaction) : reversal(world, transaction)),
  }
}

const reversal = async (world: PaymentWorld, transaction: GatewayTransaction): Promise<Apply> => {
  return (tx) => takeReversal(tx, world, transaction)
}

/** A payment for a plan says nothing of its period, so the subscription is asked for. */
async function ofPayment(world: PaymentWorld, transaction: GatewayTransaction): Promise<Apply> {
  const orderId = orderIdIn(transaction.tracking_id)
  const payment = paymentIn(transaction)
  const [row] = orderId
    ? await world.db
        .select({ gatewayId: subscriptions.gatewayId })
        .from(orders)
        .innerJoin(subscriptions, eq(subscriptions.id, orders.subscriptionId))
        .where(and(eq(orders.id, orderId), eq(orders.kind, 'plan')))
    : []
  const told = row ? await unlessSilent(openedShop(world).gateway.subscription(row.gatewayId)) : null
  return async (tx) => {
    if (payment) await lockPayment(tx, payment.uid)
    if (told) return applySubscription(tx, world, told, payment)
    const base = await lockOrder(tx, orderId)
    if (!base) return false
    if (!payment) return true
    const { subscriptionId, kind } = base
    const period = kind === 'bundle' ? null : { subscriptionId, endsAt: await usualEnd(tx, base, payment.paidAt) }
    await takePayment(tx, world, base, payment, period)
    return true
  }
}

function ofSubscription(told: GatewaySubscription): Notice {
  const { id: uid, state: status, last_transaction: last, tracking_id, plan } = told
  const { currency } = plan
  return {
    key: `sub:${uid}:${status}:${last?.uid ?? 'none'}`,
    refs: named(uid, last?.uid, tracking_id),
    facts: {
      kind: 'subscription',
      status,
      uid,
      amount: plan.plan.amount ?? null,
      currency,
      trackingId: tracking_id ?? null,
    },
    transaction: null,
    prepare: async (world) => {
      const payment = await paymentOf(world, told)
      return async (tx) => {
        if (payment) await lockPayment(tx, payment.uid)
        return applySubscription(tx, world, told, payment)
      }
    },
  }
}

function ofClosedPage({ token, order, status = null }: GatewayCheckout): Notice {
  const { amount, currency, tracking_id } = order
  return {
    key: `token:${token}:expired`,
    refs: named(token, tracking_id),
    facts: { kind: 'page', status, uid: null, amount, currency, trackingId: tracking_id ?? null },
    transaction: null,
    prepare: async () => async (tx) => {
      const [known] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.gatewayToken, token))
      const locked = await lockOrder(tx, known?.id ?? orderIdIn(order.tracking_id))
      if (!locked) return false
      if (!locked.gatewayToken || locked.gatewayToken === token) await expireOrder(tx, locked.id)
      return true
    },
  }
}
