import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { PaymentEventKind } from '#contract/payment-events.ts'
import { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { kindOf } from './transaction-kinds.ts'

/** One message about money: the body of a webhook, or the gateway's response to our own request. */
export interface WebhookEvent {
  /** Deduplication key: a repeated delivery of the same event has the same key. */
  key: string
  /** Every id in the body; the admin search and the order card find the event by them. */
  refs: string[]
  summary: EventSummary
  content: EventContent
}

/** Columns of the admin table. */
interface EventSummary {
  kind: PaymentEventKind
  status: string | null
  uid: string | null
  amount: number | null
  currency: string | null
  trackingId: string | null
}

/** What `applyEvent` switches on. `reversal` includes unknown transaction types: both are handled by `takeReversal`. */
export type EventContent =
  | { kind: 'payment'; transaction: GatewayTransaction }
  | { kind: 'reversal'; transaction: GatewayTransaction }
  | { kind: 'subscription'; subscription: GatewaySubscription }
  | { kind: 'closed_page'; page: GatewayCheckout }
  | { kind: 'none' }

/** A problem this server found by itself; stored among the webhook events so that an administrator sees it. */
export const Finding = z.object({
  finding: z.object({
    key: z.string(),
    kind: z.enum(['payment', 'subscription']),
    status: z.string().nullable(),
    uid: z.string(),
    amount: z.int().nullable(),
    currency: z.string().nullable(),
    trackingId: z.string().nullable(),
  }),
})
export type Finding = z.infer<typeof Finding>

const present = (...ids: (string | null | undefined)[]) => ids.filter((id) => typeof id === 'string')

/** Reads a transaction, a subscription, a closed pay page or a finding. Anything else is stored but never applied. */
export function readWebhookEvent(body: unknown): WebhookEvent {
  const transaction = z.object({ transaction: GatewayTransaction }).safeParse(body)
  if (transaction.success) return transactionEvent(transaction.data.transaction)
  const subscription = GatewaySubscription.safeParse(body)
  if (subscription.success) return subscriptionEvent(subscription.data)
  const page = GatewayCheckout.extend({ expired: z.literal(true) }).safeParse(body)
  if (page.success) return closedPageEvent(page.data)
  const finding = Finding.safeParse(body)
  if (finding.success) return findingEvent(finding.data)
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const summary = { kind: 'unknown', status: null, uid: null, amount: null, currency: null, trackingId: null } as const
  return { key: `unknown:${hash}`, refs: [], summary, content: { kind: 'none' } }
}

function transactionEvent(transaction: GatewayTransaction): WebhookEvent {
  const { uid, type, status, amount, currency, tracking_id, parent_uid } = transaction
  const kind = kindOf(type)
  return {
    key: `tx:${uid}:${type}:${status}`,
    refs: present(uid, parent_uid, tracking_id),
    summary: {
      kind: kind === 'none' ? 'unknown' : kind,
      status,
      uid,
      amount,
      currency,
      trackingId: tracking_id ?? null,
    },
    content: { kind: kind === 'payment' ? 'payment' : 'reversal', transaction },
  }
}

function subscriptionEvent(subscription: GatewaySubscription): WebhookEvent {
  const { id: uid, state: status, last_transaction: last, tracking_id, plan } = subscription
  return {
    key: `sub:${uid}:${status}:${last?.uid ?? 'none'}`,
    refs: present(uid, last?.uid, tracking_id),
    summary: {
      kind: 'subscription',
      status,
      uid,
      amount: plan.plan.amount ?? null,
      currency: plan.currency,
      trackingId: tracking_id ?? null,
    },
    content: { kind: 'subscription', subscription },
  }
}

function closedPageEvent(page: GatewayCheckout): WebhookEvent {
  const { token, order, status = null } = page
  const { amount, currency, tracking_id } = order
  return {
    key: `token:${token}:expired`,
    refs: present(token, tracking_id),
    summary: { kind: 'page', status, uid: null, amount, currency, trackingId: tracking_id ?? null },
    content: { kind: 'closed_page', page },
  }
}

function findingEvent({ finding: { key, ...summary } }: Finding): WebhookEvent {
  return { key, refs: present(summary.uid, summary.trackingId), summary, content: { kind: 'none' } }
}

export function transactionIn({ content }: WebhookEvent): GatewayTransaction | null {
  return 'transaction' in content ? content.transaction : null
}
