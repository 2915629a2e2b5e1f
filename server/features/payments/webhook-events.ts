import { createHash, createHmac } from 'node:crypto'
import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import * as z from 'zod'
import type { PaymentEventKind } from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { orderIdIn } from './orders.ts'
import { kindOf } from './reversals.ts'

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
type EventContent =
  | { kind: 'payment'; transaction: GatewayTransaction }
  | { kind: 'reversal'; transaction: GatewayTransaction }
  | { kind: 'subscription'; subscription: GatewaySubscription }
  | { kind: 'closed_page'; page: GatewayCheckout }
  | { kind: 'none' }

/** A problem this server found by itself; stored among the webhook events so that an administrator sees it. */
const Finding = z.object({
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
type Finding = z.infer<typeof Finding>

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

interface StoreDeps {
  db: Db
  identityKey: Buffer
}

/** Stores a rejected response of the gateway like a rejected webhook, so that an administrator sees it too. */
export async function storeRejected(deps: StoreDeps, body: object, problem: string): Promise<void> {
  const event = readWebhookEvent(JSON.parse(JSON.stringify(body)))
  const { key: dedupeKey, refs } = event
  await deps.db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, ...(await storedColumns(deps, event, body)), problem })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: { problem },
      setWhere: isNull(paymentEvents.processedAt),
    })
}

/** Stores a finding once; repeats of the same key change nothing. */
export async function storeFinding(db: Db, body: Finding, problem: string): Promise<void> {
  const { key: dedupeKey, refs } = readWebhookEvent(body)
  await db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, body, problem, processedAt: new Date() })
    .onConflictDoNothing()
}

/** The problem is over: the finding no longer waits for an administrator. */
export async function endFinding(db: Db, key: string): Promise<void> {
  await db.update(paymentEvents).set({ problem: null }).where(eq(paymentEvents.dedupeKey, key))
}

interface Payer {
  customer?: { email?: unknown } | null
  transaction?: Payer | null
}

/** The payer's email address; masked when the body comes from the database. */
export function payerIn(body: unknown): string | null {
  const { transaction, customer } = (body ?? {}) as Payer
  const email = (transaction?.customer ?? customer)?.email
  return typeof email === 'string' ? email : null
}

/** Keyed hash: an administrator who knows an address finds its payments, but the address cannot be read back. */
export function payerHashOf(identityKey: Buffer, email: string): string {
  return createHmac('sha256', identityKey).update(`payer:${email.trim().toLowerCase()}`).digest('base64url')
}

/**
 * The body with everything needed to apply it again. Of the payer only a masked address and a hash are stored, and
 * nothing at all when the account is deleted.
 */
export async function storedColumns(
  { db, identityKey }: StoreDeps,
  { refs, summary, content }: WebhookEvent,
  original: unknown,
) {
  // The round trip through JSON turns dates of parsed gateway responses into strings.
  const masked = maskBody(JSON.parse(JSON.stringify(original)))
  // Masking removes tokens, but a closed page is matched by its token, which is no longer valid.
  const body = content.kind === 'closed_page' ? { ...(masked as object), token: content.page.token } : masked
  const email = payerIn(original)
  if (!email) return { body, payerHash: null }
  if (await isOfDeletedAccount(db, refs, summary.trackingId))
    return { body: withoutPayer(body as object), payerHash: null }
  return { body, payerHash: payerHashOf(identityKey, email) }
}

function withoutPayer(body: object): object {
  const { customer: _, ...rest } = body as Payer
  return rest.transaction ? { ...rest, transaction: withoutPayer(rest.transaction) } : rest
}

async function isOfDeletedAccount(db: Db, refs: string[], trackingId: string | null): Promise<boolean> {
  const isNamed = or(inArray(orders.gatewayUid, refs), eq(orders.id, orderIdIn(trackingId) ?? ''))
  if ((await db.$count(orders, and(isNull(orders.userId), isNamed))) > 0) return true
  const known = and(isNull(subscriptions.userId), inArray(subscriptions.gatewayId, refs))
  return (await db.$count(subscriptions, known)) > 0
}

/** Called when an account is deleted: its payments can no longer be found by its address. */
export async function forgetPayer({ db, identityKey }: StoreDeps, email: string): Promise<void> {
  await db
    .update(paymentEvents)
    .set({ payerHash: null })
    .where(eq(paymentEvents.payerHash, payerHashOf(identityKey, email)))
}

/** Gateway messages hold card and personal data that the history of a payment does not need. */

const MASK = '•••'
/** Keys masked at any depth. */
const secret =
  /token|stamp|secret|signature|password|auth_code|rrn|ref_id|holder|^bin$|first_1|^exp_|cvc|cvv|^number$|^ip$|device_id|birth_date|phone|public_key|^(first|last|middle)_name$|^(address|city|zip)$/i
/** Objects masked whole. */
const secretParts = /^(billing_address|additional_data|browser|avs_cvc_verification)$/
/** Ids are never card numbers, however many digits they have. */
const idKeys = /^(uid|id|tracking_id|parent_uid)$/
/** A card number, also with spaces or dashes between its groups. */
const CARD_NUMBER = /\b(?:\d[ -]?){12,18}\d\b/g
const SECRET_IN_URL = /([?&](?:token|hash|sign|key)=)[^&#]+/gi
const EMAIL = /[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

export function maskBody(value: unknown, name = ''): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (secret.test(name) || secretParts.test(name)) return MASK
  if (typeof value === 'string') return idKeys.test(name) ? value : maskText(value)
  if (Array.isArray(value)) return value.map((item) => maskBody(item))
  if (typeof value !== 'object') return value
  if (name === 'customer') return maskPayer(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskBody(inner, key)]))
}

/** Only a masked email address stays. */
function maskPayer(customer: object): object {
  return Object.fromEntries(
    Object.entries(customer).map(([key, inner]) => {
      if (inner === null) return [key, null]
      return [key, key === 'email' && typeof inner === 'string' ? maskText(inner) : MASK]
    }),
  )
}

function maskText(text: string): string {
  return text
    .replace(CARD_NUMBER, MASK)
    .replace(SECRET_IN_URL, `$1${MASK}`)
    .replace(EMAIL, (email) => `${email[0]}${MASK}${email.slice(email.lastIndexOf('@'))}`)
    .replace(IP, MASK)
}
