import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { PaymentEventKind } from '#contract/payment-events.ts'
import { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { kindOf } from './transactions.ts'

/** What the gateway says about money: the body of a webhook, or its answer to our own request. */
export interface Report {
  /** A repeated report has the same key. */
  key: string
  /** Every id in the body; the admin search and the order card find the report by them. */
  refs: string[]
  summary: ReportSummary
  content: ReportContent
}

/** Columns of the admin table. */
interface ReportSummary {
  kind: PaymentEventKind
  status: string | null
  uid: string | null
  amount: number | null
  currency: string | null
  trackingId: string | null
}

/** `reversal` includes unknown transaction types: both are handled by `applyReversal`. */
type ReportContent =
  | { kind: 'payment'; transaction: GatewayTransaction }
  | { kind: 'reversal'; transaction: GatewayTransaction }
  | { kind: 'subscription'; subscription: GatewaySubscription }
  | { kind: 'closed_page'; page: GatewayCheckout }
  | { kind: 'none' }

const present = (...ids: (string | null | undefined)[]) => ids.filter((id) => typeof id === 'string')

/** Reads a transaction, a subscription or a closed pay page. Anything else is stored but never applied. */
export function readReport(body: unknown): Report {
  const transaction = z.object({ transaction: GatewayTransaction }).safeParse(body)
  if (transaction.success) return transactionReport(transaction.data.transaction)
  const subscription = GatewaySubscription.safeParse(body)
  if (subscription.success) return subscriptionReport(subscription.data)
  const page = GatewayCheckout.extend({ expired: z.literal(true) }).safeParse(body)
  if (page.success) return closedPageReport(page.data)
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const named = z.object({ notification: z.object({ event: z.string(), id: z.string() }) }).safeParse(body)
  const { id: uid = null, event: status = null } = named.data?.notification ?? {}
  const summary = { kind: 'unknown', status, uid, amount: null, currency: null, trackingId: null } as const
  return { key: `unknown:${hash}`, refs: present(uid), summary, content: { kind: 'none' } }
}

function transactionReport(transaction: GatewayTransaction): Report {
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

function subscriptionReport(subscription: GatewaySubscription): Report {
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

function closedPageReport(page: GatewayCheckout): Report {
  const { token, order, status = null } = page
  const { amount, currency, tracking_id } = order
  return {
    key: `token:${token}:expired`,
    refs: present(token, tracking_id),
    summary: { kind: 'page', status, uid: null, amount, currency, trackingId: tracking_id ?? null },
    content: { kind: 'closed_page', page },
  }
}

/** A payment that was not made in time is the end of its page; a charge of ours has no page. */
export function reportOf(transaction: GatewayTransaction): object {
  if (transaction.status !== 'expired') return { transaction }
  if (transaction.tracking_id?.startsWith('renewal:')) return { transaction: { ...transaction, status: 'failed' } }
  const { uid: token, amount, currency, tracking_id, test } = transaction
  return { token, expired: true, finished: false, status: 'expired', test, order: { amount, currency, tracking_id } }
}

export function transactionIn({ content }: Report): GatewayTransaction | null {
  return 'transaction' in content ? content.transaction : null
}
