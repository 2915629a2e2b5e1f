import { and, eq, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import type { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { ingest } from './ingest.ts'
import { recordMissingSubscription } from './missing-subscriptions.ts'
import { noteProgress, type OrderRow, tracesOf } from './orders.ts'
import { renewOwn } from './own-renewals.ts'
import { reportOf } from './reports.ts'
import { gatewaysOn, requireBepaid, shopOf } from './shops.ts'
import type { SubscriptionRow } from './subscription-state.ts'

/** Asks the gateway about an order and ingests the answer. Must not be called inside a transaction. */
export async function syncOrder(deps: PaymentDeps, order: OrderRow): Promise<void> {
  const { gateway } = shopOf(deps, order)
  if (order.gateway === 'yookassa') return ingestPayments(deps, order)
  if (order.kind === 'bundle') {
    const checkout = order.gatewayToken && !order.paidAt ? await gateway.checkout(order.gatewayToken) : null
    if (checkout) await noteProgress(deps.db, order, checkoutProgress(checkout))
    return checkout ? ingestCheckout(deps, order, checkout) : ingestPayments(deps, order)
  }
  const { db } = deps
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, order.subscriptionId ?? ''))
  if (!row) return ingestPayments(deps, order)
  const reported = await syncSubscription(deps, row)
  if (reported) await noteProgress(deps.db, order, subscriptionProgress(reported))
}

type Progress = NonNullable<OrderRow['progress']>

const checkoutProgress = ({ finished, gateway_response }: GatewayCheckout): Progress =>
  finished || gateway_response?.payment ? 'processing' : 'untouched'

const subscriptionProgress = ({ state, last_transaction }: GatewaySubscription): Progress =>
  state === 'redirecting' && !last_transaction ? 'untouched' : 'processing'

/** Also asks for the payments: if webhooks of several periods were lost, the subscription names only the last one. */
export async function syncSubscription(
  deps: PaymentDeps,
  row: SubscriptionRow,
  now = new Date(),
): Promise<GatewaySubscription | null> {
  const reported = await requireBepaid(deps).gateway.subscription(row.gatewayId)
  if (!reported) {
    await recordMissingSubscription(deps, row.id, now)
    return null
  }
  await ingest(deps, reported, { source: 'request', gateway: 'bepaid' })
  const isFirst = and(eq(orders.subscriptionId, row.id), eq(orders.kind, 'plan'), isNotNull(orders.paidAt))
  const [base] = await deps.db.select().from(orders).where(isFirst)
  if (base) await ingestPayments(deps, base)
  return reported
}

async function ingestCheckout(deps: PaymentDeps, order: OrderRow, checkout: GatewayCheckout): Promise<void> {
  const made = checkout.gateway_response?.payment
  // A payment that is not by card may be known to the checkout only.
  const transaction = made && ((await shopOf(deps, order).gateway.transaction(made.uid)) ?? paymentOn(checkout, made))
  const options = { source: 'request', gateway: order.gateway, orderId: order.id } as const
  if (transaction) await ingest(deps, { transaction }, options)
  else if (checkout.expired) await ingest(deps, checkout, options)
}

function paymentOn({ order, test }: GatewayCheckout, { uid, status }: { uid: string; status: string }) {
  const { amount, currency, tracking_id } = order
  return { uid, type: 'payment', status, amount, currency, tracking_id, test }
}

/** A rejected payment does not stop the others; the first rejection is thrown at the end. */
async function ingestPayments(deps: PaymentDeps, order: OrderRow): Promise<void> {
  const found = await shopOf(deps, order).gateway.transactionsOf(tracesOf(order))
  const rejections: Rejection[] = []
  for (const transaction of found.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    try {
      await ingest(deps, reportOf(transaction), { source: 'request', gateway: order.gateway, orderId: order.id })
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      rejections.push(error)
    }
  }
  if (rejections[0]) throw rejections[0]
}

const timeOf = ({ paid_at, created_at }: GatewayTransaction) => Number(paid_at ?? created_at ?? 0)

/** At most one request per subscription in this interval, however often the user retries. */
const RENEWAL_CHECK_EVERY = sql`interval '30 seconds'`

/**
 * A user may be out of symbols only because the webhook of a renewal was lost: asks about it at once, in the
 * background. Cheap when nothing is due. Must not be called inside a transaction.
 */
export function syncIfRenewalDue(deps: PaymentDeps, userId: string): void {
  if (gatewaysOn(deps).length === 0) return
  const work = syncDueRenewals(deps, userId).catch((error: unknown) => {
    deps.log?.warn({ err: error, userId }, 'payments: check of a due renewal failed')
  })
  deps.onBackground?.(work)
}

async function syncDueRenewals(deps: PaymentDeps, userId: string): Promise<void> {
  const { renewAt, checkRequestedAt } = subscriptions
  const due = await deps.db
    .update(subscriptions)
    .set({ checkRequestedAt: sql`now()` })
    .where(
      and(
        eq(subscriptions.userId, userId),
        liveSubscription(),
        lte(renewAt, sql`now()`),
        or(isNull(checkRequestedAt), lt(checkRequestedAt, sql`now() - ${RENEWAL_CHECK_EVERY}`)),
      ),
    )
    .returning()
  for (const row of due) await (row.gateway === 'yookassa' ? renewOwn(deps, row) : syncSubscription(deps, row))
}
