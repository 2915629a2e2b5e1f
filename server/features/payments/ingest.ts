import { and, eq } from 'drizzle-orm'
import type { GatewayName } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { isProblemEvent, orders, paymentEvents } from '#server/db/schema.ts'
import { parseJson } from '#server/http/json.ts'
import { PAGE_JSON } from '#server/http/json-size.ts'
import { AppError } from '#server/lib/errors.ts'
import type { GatewayCheckout } from '#server/payments/gateway.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { type EventRow, hasProblem, lockEvent, storeEvent, storeOutcome } from './event-store.ts'
import { type Facts, fetchFacts, isCountedAsPayment } from './fetch-facts.ts'
import { lockOrder, lockPayment, noteProgress, orderIdIn } from './orders.ts'
import { applyToLocked } from './own-subscriptions.ts'
import { type Report, readReport } from './reports.ts'
import { applyReversal } from './reversals.ts'
import { requireBepaid } from './shops.ts'
import { applySubscription, expireOrder } from './subscriptions.ts'
import type { Payment } from './transactions.ts'

export async function receiveWebhook(deps: PaymentDeps, body: Buffer, headers: Headers): Promise<void> {
  if (!requireBepaid(deps).isGenuine(body, headers)) throw new AppError('unauthorized', 'Подпись не сошлась.')
  await ingest(deps, await parseJson(body, PAGE_JSON), { source: 'webhook', gateway: 'bepaid' })
}

interface IngestOptions {
  /** A webhook may be late or repeated; the answer to our own request is current. */
  source: 'webhook' | 'request'
  /** The order that was asked about; otherwise the report names it. */
  orderId?: string
  /** Runs in the transaction that stores the outcome or the rejection. */
  also?: (tx: Db, event: EventRow) => Promise<void>
}

/**
 * The only way in for a report of the gateway, from a webhook or from our own request: it is stored once under its key,
 * applied in one transaction, and its outcome is stored. A rejected one is stored with the reason and thrown; a repeat retries it.
 * Must not be called inside a transaction.
 */
export async function ingest(
  deps: PaymentDeps,
  body: unknown,
  { gateway, ...options }: IngestOptions & { gateway: GatewayName },
): Promise<void> {
  const report = readReport(body)
  const event = await storeEvent(deps, report, { body, gateway, isDelivery: options.source === 'webhook' })
  await applyStored(deps, event, report, options)
}

/** The second half of `ingest`, for a report that is stored already: an administrator retries it. */
export async function applyStored(
  deps: PaymentDeps,
  stored: EventRow,
  report: Report,
  options: IngestOptions,
): Promise<void> {
  const { orderId, also } = options
  if (!also && isRepeat(stored, report, options)) return
  try {
    const facts = await fetchFacts(deps, report, orderId)
    await deps.db.transaction(async (tx) => {
      let event = await lockEvent(tx, stored.id)
      if (!isRepeat(event, report, options)) {
        const isKnown = await applyReport(tx, deps, report, { ...facts, gateway: stored.gateway })
        if (hasProblem(event)) event = await storeOutcome(tx, event, { orphan: !isKnown && !orderId })
      }
      await also?.(tx, event)
    })
  } catch (error) {
    if (error instanceof Rejection) await storeRejection(deps, stored, error, options)
    throw error
  }
}

/**
 * The key of a transaction names all that counts. That of a subscription does not name its period, so what the gateway
 * answers about one is always applied.
 */
function isRepeat(event: EventRow, { content }: Report, { source }: IngestOptions): boolean {
  if (event.processedAt === null) return false
  return source === 'webhook' || (content.kind !== 'subscription' && !hasProblem(event))
}

async function storeRejection(
  deps: PaymentDeps,
  { id, dedupeKey }: EventRow,
  rejection: Rejection,
  { also }: IngestOptions,
): Promise<void> {
  deps.log?.error({ err: rejection, key: dedupeKey }, 'payments: report rejected')
  await deps.db.transaction(async (tx) => {
    const [event] = await tx
      .update(paymentEvents)
      .set({ problem: rejection.message })
      .where(and(eq(paymentEvents.id, id), isProblemEvent()))
      .returning()
    if (event) await also?.(tx, event)
  })
}

/** Returns false when the report concerns nothing in this database. */
async function applyReport(
  tx: Db,
  deps: PaymentDeps,
  { content }: Report,
  { payment, subscription, orderId, gateway }: Facts & { gateway: GatewayName },
): Promise<boolean> {
  switch (content.kind) {
    case 'payment':
      if (subscription) return applySubscription(tx, deps, subscription, payment)
      return applyToOrder(tx, deps, orderId, payment, content.transaction.status)
    case 'subscription':
      return applySubscription(tx, deps, content.subscription, payment)
    case 'reversal':
      return (
        (await isCountedAsPayment(tx, content.transaction)) || applyReversal(tx, deps, content.transaction, gateway)
      )
    case 'closed_page':
      return closePage(tx, content.page)
    case 'none':
      return false
  }
}

async function applyToOrder(
  tx: Db,
  deps: PaymentDeps,
  orderId: string | null,
  payment: Payment | null,
  status: string,
): Promise<boolean> {
  if (payment) await lockPayment(tx, payment.uid)
  const base = await lockOrder(tx, orderId)
  if (base && payment) await applyToLocked(tx, deps, base, payment)
  else if (base) await noteProgress(tx, base, status === 'untouched' ? 'untouched' : 'processing')
  return base !== null
}

async function closePage(tx: Db, { token, order }: GatewayCheckout): Promise<boolean> {
  const [known] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.gatewayToken, token))
  const locked = await lockOrder(tx, known?.id ?? orderIdIn(order.tracking_id))
  if (!locked) return false
  // A bill of bePaid can be paid after its page has closed.
  const isOver = locked.progress !== 'processing' || locked.gateway === 'yookassa'
  if (isOver && (!locked.gatewayToken || locked.gatewayToken === token)) await expireOrder(tx, locked.id)
  return true
}
