import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { PaymentEventKind } from '#contract/payment-events.ts'
import { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { kindOf } from './transaction-kinds.ts'

/** What one piece of news says at a glance. */
interface NoticeFacts {
  kind: PaymentEventKind
  status: string | null
  uid: string | null
  amount: number | null
  currency: string | null
  trackingId: string | null
}

/** A notice as it is kept and shown; applying it is in notices.ts. */
export interface StoredWebhook {
  /** The same news has the same key, however often it comes. */
  key: string
  /** Every name it mentions: by them it is found again. */
  refs: string[]
  facts: NoticeFacts
  /** Which of the shapes it has; null for what nobody can apply. */
  about:
    | { transaction: GatewayTransaction }
    | { subscription: GatewaySubscription }
    | { closedPage: GatewayCheckout }
    | null
}

/** What we found out ourselves and an administrator must see; the gateway sent nothing like it. */
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

const named = (...names: (string | null | undefined)[]) => names.filter((name) => typeof name === 'string')

/** Three shapes: a payment, a subscription, a pay page that closed; and our own. What else may come is kept as it is. */
export function readFacts(content: unknown): StoredWebhook {
  const transaction = z.object({ transaction: GatewayTransaction }).safeParse(content)
  if (transaction.success) return ofTransaction(transaction.data.transaction)
  const subscription = GatewaySubscription.safeParse(content)
  if (subscription.success) return ofSubscription(subscription.data)
  const page = GatewayCheckout.extend({ expired: z.literal(true) }).safeParse(content)
  if (page.success) return ofClosedPage(page.data)
  const found = Finding.safeParse(content)
  if (found.success) return ofFinding(found.data)
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const facts = { kind: 'unknown', status: null, uid: null, amount: null, currency: null, trackingId: null } as const
  return { key: `unknown:${hash}`, refs: [], facts, about: null }
}

function ofTransaction(transaction: GatewayTransaction): StoredWebhook {
  const { uid, type, status, amount, currency, tracking_id, parent_uid } = transaction
  const kind = kindOf(type)
  return {
    key: `tx:${uid}:${type}:${status}`,
    refs: named(uid, parent_uid, tracking_id),
    facts: {
      kind: kind === 'none' ? 'unknown' : kind,
      status,
      uid,
      amount,
      currency,
      trackingId: tracking_id ?? null,
    },
    about: { transaction },
  }
}

function ofSubscription(subscription: GatewaySubscription): StoredWebhook {
  const { id: uid, state: status, last_transaction: last, tracking_id, plan } = subscription
  const amount = plan.plan.amount ?? null
  return {
    key: `sub:${uid}:${status}:${last?.uid ?? 'none'}`,
    refs: named(uid, last?.uid, tracking_id),
    facts: {
      kind: 'subscription',
      status,
      uid,
      amount,
      currency: plan.currency,
      trackingId: tracking_id ?? null,
    },
    about: { subscription },
  }
}

function ofClosedPage(closedPage: GatewayCheckout): StoredWebhook {
  const { token, order, status = null } = closedPage
  const { amount, currency, tracking_id } = order
  return {
    key: `token:${token}:expired`,
    refs: named(token, tracking_id),
    facts: { kind: 'page', status, uid: null, amount, currency, trackingId: tracking_id ?? null },
    about: { closedPage },
  }
}

function ofFinding({ finding: { key, ...facts } }: Finding): StoredWebhook {
  return { key, refs: named(facts.uid, facts.trackingId), facts, about: null }
}
