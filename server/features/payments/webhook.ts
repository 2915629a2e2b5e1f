import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { nullIfUnreachable, paymentOf } from './ask-gateway.ts'
import { type PaymentDeps, Rejection, requireShop } from './deps.ts'
import { lockOrder, lockPayment, noteProgress, orderIdIn } from './orders.ts'
import { takeReversal } from './reversals.ts'
import { applySubscription, expireOrder } from './subscriptions.ts'
import { type Payment, paymentIn, takePaymentByTerms } from './take-payment.ts'
import { readWebhookEvent, storedColumns, type WebhookEvent } from './webhook-events.ts'

/** Checks the signature, stores the event and applies it once. */
export async function receiveWebhook(deps: PaymentDeps, body: Buffer, headers: Headers): Promise<void> {
  if (!requireShop(deps).isGenuine(body, headers)) throw new AppError('unauthorized', 'Подпись не сошлась.')
  await processBody(deps, readJson(body))
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('bad_request', 'Запрос не читается: в его тексте ошибка.')
  }
}

/** Also used for answers to our own requests. A rejected event is stored with its reason; a repeat retries it. */
export async function processBody(deps: PaymentDeps, body: unknown): Promise<void> {
  const event = readWebhookEvent(body)
  if (await isProcessed(deps, event, body)) return
  try {
    const facts = await askGatewayFacts(deps, event)
    await deps.db.transaction((tx) => processOnce(tx, deps, event, facts))
  } catch (error) {
    if (error instanceof Rejection) {
      deps.log?.error({ err: error, key: event.key }, 'payments: webhook event rejected')
      await deps.db.update(paymentEvents).set({ problem: error.message }).where(hasKey(event))
    }
    throw error
  }
}

async function isProcessed(deps: PaymentDeps, event: WebhookEvent, body: unknown): Promise<boolean> {
  const { key: dedupeKey, refs } = event
  const [row] = await deps.db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, ...(await storedColumns(deps, event, body)) })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: { deliveries: sql`${paymentEvents.deliveries} + 1` },
    })
    .returning({ processedAt: paymentEvents.processedAt })
  return row?.processedAt != null
}

async function processOnce(tx: Db, deps: PaymentDeps, event: WebhookEvent, facts: GatewayFacts): Promise<void> {
  const [row] = await tx.select().from(paymentEvents).where(hasKey(event)).for('update')
  if (row?.processedAt) return
  const isKnown = await applyEvent(tx, deps, event, facts)
  await tx.update(paymentEvents).set({ processedAt: new Date(), orphan: !isKnown, problem: null }).where(hasKey(event))
}

const hasKey = ({ key }: WebhookEvent) => eq(paymentEvents.dedupeKey, key)

interface GatewayFacts {
  payment: Payment | null
  subscription: GatewaySubscription | null
}

/** Facts that the event lacks. Requested before the transaction: no HTTP request runs while rows are locked. */
export async function askGatewayFacts(deps: PaymentDeps, { content }: WebhookEvent): Promise<GatewayFacts> {
  switch (content.kind) {
    case 'payment':
      return {
        payment: paymentIn(content.transaction),
        subscription: await askSubscriptionPaidBy(deps, content.transaction),
      }
    case 'subscription':
      return { payment: await paymentOf(deps, content.subscription), subscription: content.subscription }
    default:
      return { payment: null, subscription: null }
  }
}

/** A payment for a plan does not name its period; the subscription does. */
async function askSubscriptionPaidBy(
  deps: PaymentDeps,
  { tracking_id }: GatewayTransaction,
): Promise<GatewaySubscription | null> {
  const orderId = orderIdIn(tracking_id)
  if (!orderId) return null
  const [row] = await deps.db
    .select({ gatewayId: subscriptions.gatewayId })
    .from(orders)
    .innerJoin(subscriptions, eq(subscriptions.id, orders.subscriptionId))
    .where(and(eq(orders.id, orderId), eq(orders.kind, 'plan')))
  return row ? nullIfUnreachable(requireShop(deps).gateway.subscription(row.gatewayId)) : null
}

/** Returns false when the event concerns nothing in this database. */
export async function applyEvent(
  tx: Db,
  deps: PaymentDeps,
  { content }: WebhookEvent,
  { payment, subscription }: GatewayFacts,
): Promise<boolean> {
  switch (content.kind) {
    case 'payment':
      if (subscription) return applySubscription(tx, deps, subscription, payment)
      return applyPayment(tx, deps, orderIdIn(content.transaction.tracking_id), payment)
    case 'subscription':
      return applySubscription(tx, deps, content.subscription, payment)
    case 'reversal':
      return takeReversal(tx, deps, content.transaction)
    case 'closed_page':
      return closePage(tx, content.page)
    case 'none':
      return false
  }
}

async function applyPayment(
  tx: Db,
  deps: PaymentDeps,
  orderId: string | null,
  payment: Payment | null,
): Promise<boolean> {
  if (payment) await lockPayment(tx, payment.uid)
  const base = await lockOrder(tx, orderId)
  if (base && payment) await takePaymentByTerms(tx, deps, base, payment)
  else if (base) await noteProgress(tx, base, 'processing')
  return base !== null
}

async function closePage(tx: Db, { token, order }: GatewayCheckout): Promise<boolean> {
  const [known] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.gatewayToken, token))
  const locked = await lockOrder(tx, known?.id ?? orderIdIn(order.tracking_id))
  if (!locked) return false
  // A bill can be paid after its page has closed.
  const isOver = locked.progress !== 'processing'
  if (isOver && (!locked.gatewayToken || locked.gatewayToken === token)) await expireOrder(tx, locked.id)
  return true
}
