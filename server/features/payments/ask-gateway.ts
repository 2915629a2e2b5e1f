import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import {
  type GatewayCheckout,
  GatewayError,
  type GatewaySubscription,
  type GatewayTransaction,
} from '#server/payments/gateway.ts'
import { declineReasonOf } from './decline-reason.ts'
import { type PaymentDeps, Rejection, requireShop } from './deps.ts'
import { recordMissingSubscription } from './missing.ts'
import { lockOrder, lockPayment, noteProgress, type OrderRow, trackingIdOf } from './orders.ts'
import { rejectUnknownKind, takeReversal } from './reversals.ts'
import type { SubscriptionRow } from './subscription-state.ts'
import { applySubscription, expireOrder } from './subscriptions.ts'
import { confirmedPayment, type Payment, paymentIn, takePaymentByTerms } from './take-payment.ts'
import { storeRejected } from './webhook-events.ts'

/** Asks the gateway about an order and records the answer. Must not be called inside a transaction. */
export async function askAboutOrder(deps: PaymentDeps, order: OrderRow): Promise<void> {
  const { gateway } = requireShop(deps)
  if (order.kind === 'bundle') {
    const checkout = order.gatewayToken && !order.paidAt ? await gateway.checkout(order.gatewayToken) : null
    if (checkout) await noteProgress(deps.db, order, checkoutProgress(checkout))
    return checkout ? recordCheckout(deps, order, checkout) : recordPayments(deps, order)
  }
  const { db } = deps
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, order.subscriptionId ?? ''))
  if (!row) return recordPayments(deps, order)
  const reported = await askAboutSubscription(deps, row)
  if (reported) await noteProgress(deps.db, order, subscriptionProgress(reported))
}

type Progress = NonNullable<OrderRow['progress']>

const checkoutProgress = ({ finished, gateway_response }: GatewayCheckout): Progress =>
  finished || gateway_response?.payment ? 'processing' : 'untouched'

const subscriptionProgress = ({ state, last_transaction }: GatewaySubscription): Progress =>
  state === 'redirecting' && !last_transaction ? 'untouched' : 'processing'

/** Also asks for the payments: if webhooks of several periods were lost, the subscription names only the last one. */
export async function askAboutSubscription(
  deps: PaymentDeps,
  row: SubscriptionRow,
  now = new Date(),
): Promise<GatewaySubscription | null> {
  const reported = await requireShop(deps).gateway.subscription(row.gatewayId)
  if (!reported) {
    await recordMissingSubscription(deps, row.id, now)
    return null
  }
  await recordSubscription(deps, reported)
  const isFirst = and(eq(orders.subscriptionId, row.id), eq(orders.kind, 'plan'), isNotNull(orders.paidAt))
  const [base] = await deps.db.select().from(orders).where(isFirst)
  if (base) await recordPayments(deps, base)
  return reported
}

export async function recordSubscription(deps: PaymentDeps, reported: GatewaySubscription): Promise<boolean> {
  return storingRejections(deps, reported, async () => {
    const payment = await paymentOf(deps, reported)
    return deps.db.transaction((tx) => applySubscription(tx, deps, reported, payment))
  })
}

/** A rejected answer of the gateway is stored like a rejected webhook: an administrator sees both. */
async function storingRejections<T>(deps: PaymentDeps, body: object, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Rejection) await storeRejected(deps, body, error.message)
    throw error
  }
}

/**
 * The last payment of a subscription. Its amount is not in the subscription, so the transaction is asked for; if the
 * gateway does not answer, the amount comes from the terms of the subscription.
 */
export async function paymentOf(deps: PaymentDeps, reported: GatewaySubscription): Promise<Payment | null> {
  const last = reported.last_transaction
  if (!last) return null
  const transaction = await nullIfUnreachable(requireShop(deps).gateway.transaction(last.uid))
  if (transaction) {
    if (await isCountedAsPayment(deps, transaction)) return confirmedPayment(transaction)
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
  }
}

async function recordCheckout(deps: PaymentDeps, order: OrderRow, checkout: GatewayCheckout): Promise<void> {
  const made = checkout.gateway_response?.payment
  // A payment that is not by card may be known to the checkout only.
  const asked = made && (await requireShop(deps).gateway.transaction(made.uid))
  const transaction = asked ?? (made && paymentOn(checkout, made))
  if (transaction) await recordPayment(deps, order, transaction)
  else if (checkout.expired) await deps.db.transaction((tx) => expireOrder(tx, order.id))
}

function paymentOn({ order, test }: GatewayCheckout, { uid, status }: { uid: string; status: string }) {
  const { amount, currency, tracking_id } = order
  return { uid, type: 'payment', status, amount, currency, tracking_id, test }
}

/** A rejected payment does not stop the others; the first rejection is thrown at the end. */
async function recordPayments(deps: PaymentDeps, order: OrderRow): Promise<void> {
  const found = await requireShop(deps).gateway.transactionsByTracking(trackingIdOf(order))
  const rejections: Rejection[] = []
  for (const transaction of found.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    try {
      await recordPayment(deps, order, transaction)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      rejections.push(error)
    }
  }
  if (rejections[0]) throw rejections[0]
}

const timeOf = ({ paid_at, created_at }: GatewayTransaction) => Number(paid_at ?? created_at ?? 0)

async function recordPayment(deps: PaymentDeps, order: OrderRow, transaction: GatewayTransaction): Promise<void> {
  const payment = (await isCountedAsPayment(deps, transaction)) ? confirmedPayment(transaction) : paymentIn(transaction)
  await storingRejections(deps, { transaction }, () =>
    deps.db.transaction(async (tx) => {
      if (!payment) return void (await takeReversal(tx, deps, transaction))
      await lockPayment(tx, payment.uid)
      const base = await lockOrder(tx, order.id)
      if (base) await takePaymentByTerms(tx, deps, base, payment)
    }),
  )
}

/** True for a transaction of an unknown kind that an administrator has counted as a payment. */
async function isCountedAsPayment({ db }: PaymentDeps, { uid }: GatewayTransaction): Promise<boolean> {
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

/** At most one request per subscription in this interval, however often the user retries. */
const RENEWAL_CHECK_EVERY = sql`interval '30 seconds'`

/**
 * A user may be out of symbols only because the webhook of a renewal was lost: asks about it at once, in the
 * background. Cheap when nothing is due. Must not be called inside a transaction.
 */
export function askIfRenewalDue(deps: PaymentDeps, userId: string): void {
  if (!deps.shop) return
  const work = askAboutDueRenewals(deps, userId).catch((error: unknown) => {
    deps.log?.warn({ err: error, userId }, 'payments: check of a due renewal failed')
  })
  deps.onBackground?.(work)
}

async function askAboutDueRenewals(deps: PaymentDeps, userId: string): Promise<void> {
  const { renewAt, askedAt } = subscriptions
  const due = await deps.db
    .update(subscriptions)
    .set({ askedAt: sql`now()` })
    .where(
      and(
        eq(subscriptions.userId, userId),
        liveSubscription(),
        lte(renewAt, sql`now()`),
        or(isNull(askedAt), lt(askedAt, sql`now() - ${RENEWAL_CHECK_EVERY}`)),
      ),
    )
    .returning()
  for (const row of due) await askAboutSubscription(deps, row)
}

interface RunLimits {
  concurrency: number
  deadlineMs: number
  /** Receives the work still running at the deadline. */
  onBackground?: ((work: Promise<void>) => void) | undefined
}

/**
 * Runs the work returned by `next` concurrently until it returns null or the deadline is reached. Work still running
 * then continues in the background: one slow request must not delay the next run.
 */
export async function runConcurrently(
  { concurrency, deadlineMs, onBackground }: RunLimits,
  next: () => Promise<(() => Promise<void>) | null>,
): Promise<void> {
  const until = Date.now() + deadlineMs
  async function worker(): Promise<void> {
    while (Date.now() < until) {
      const work = await next()
      if (!work) return
      await work()
    }
  }
  const all = Promise.all(Array.from({ length: concurrency }, worker)).then(() => {})
  const timer = new AbortController()
  const isLate = await Promise.race([
    all.then(() => false),
    pause(deadlineMs, true, { signal: timer.signal, ref: false }).catch(() => true),
  ])
  timer.abort()
  if (isLate) onBackground?.(all.catch(() => {}))
}
