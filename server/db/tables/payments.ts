import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { declineReasons } from '#contract/payments.ts'
import { users } from './auth.ts'
import { createdAt, gateway, moment, money, symbols } from './columns.ts'
import { bundles, planVersions } from './plans.ts'

/** Payments are kept for accounting when the payer's account is deleted. */
const payer = () => text().references(() => users.id, { onDelete: 'set null' })

/**
 * States in which a subscription will never charge again. Two are ours: `unsaved`, the payer agreed to renewals, but no
 * method was saved; `once`, the plan was sold for one period.
 */
export const endedStates = ['canceled', 'failed', 'error', 'expired', 'unsaved', 'once'] as const
const ended = sql.raw(endedStates.map((state) => `'${state}'`).join(', '))

/** A subscription that the gateway charges by itself and reports (bePaid), or that we charge (ЮKassa). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    gateway: gateway(),
    gatewayId: text().notNull().unique(),
    userId: payer(),
    planVersionId: text()
      .notNull()
      .references(() => planVersions.id),
    /** The gateway's own state, or one of ours where we charge. */
    state: text().notNull(),
    /** Paid until then; null before the first payment. */
    activeTo: moment(),
    renewAt: moment(),
    paidBillingCycles: integer().notNull().default(0),
    cardLast4: text(),
    cardBrand: text(),
    /** When the payer removed the card: nothing about it is stored again. */
    cardRemovedAt: moment(),
    /** When it was cancelled here, whether or not the gateway has confirmed it. */
    cancelRequestedAt: moment(),
    canceledAt: moment(),
    /** The current period was refunded, and its symbols were taken back. */
    revokedAt: moment(),
    /** The renewal that the payer was warned of. */
    remindedFor: moment(),
    /** When to ask the gateway about it; null when there is nothing to ask. */
    checkAt: moment(),
    /** Consecutive requests that the gateway did not answer. */
    failedChecks: integer().notNull().default(0),
    /** The plan that it changes to when the paid period ends; null when it renews as it is. */
    nextPlanVersionId: text().references(() => planVersions.id),
    /** The subscription that replaced it: its end is a change of plan, so the payer gets no email about the end. */
    replacedBy: text(),
    /** When a payer who ran out of symbols last had it checked. */
    checkRequestedAt: moment(),
    /** Since when the gateway reports that it does not exist; kept after that ended it, because it may reappear. */
    missingSince: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId),
    index('subscriptions_to_check').on(t.checkAt).where(sql`${t.checkAt} is not null`),
    index('subscriptions_to_remind').on(t.renewAt).where(sql`${t.renewAt} is not null`),
    uniqueIndex('one_live_subscription').on(t.userId).where(isLive(t)),
    check('canceled_as_requested', sql`${t.canceledAt} is null or ${t.cancelRequestedAt} is not null`),
    check('cycles_not_negative', sql`${t.paidBillingCycles} >= 0`),
  ],
)

/** Paid at least once and going to charge again: everything that speaks of renewals asks this. */
function isLive(t: { activeTo: unknown; cancelRequestedAt: unknown; state: unknown }): SQL {
  return sql`${t.activeTo} is not null and ${t.cancelRequestedAt} is null and ${t.state} not in (${ended})`
}
export const liveSubscription = () => isLive(subscriptions)

export const orderKinds = ['plan', 'renewal', 'bundle'] as const
/** The last report of the gateway about an unpaid order. `untouched`: no payment was tried on its page. */
export const orderProgress = ['untouched', 'processing'] as const
export const orderStatuses = ['pending', 'paid', 'failed', 'expired', 'refunded', 'charged_back'] as const

/** Money requested or taken. */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    userId: payer(),
    gateway: gateway(),
    kind: text({ enum: orderKinds }).notNull(),
    status: text({ enum: orderStatuses }).notNull().default('pending'),
    planVersionId: text().references(() => planVersions.id),
    bundleId: text().references(() => bundles.id),
    subscriptionId: text().references(() => subscriptions.id),
    /** What was bought, as it was named at that time. */
    title: text().notNull(),
    symbols: symbols().notNull(),
    amount: money().notNull(),
    currency: text().notNull(),
    promoId: text(),
    discountPercent: integer(),
    gatewayToken: text().unique(),
    redirectUrl: text(),
    redirectExpiresAt: moment(),
    /** How the payer chose to pay on our page; null when they choose at the gateway. */
    method: text(),
    /** The text of the QR code of СБП, until it is paid or expires. */
    qr: text(),
    gatewayUid: text().unique(),
    receiptUrl: text(),
    refundedAmount: money().notNull().default(0),
    /** When to ask the gateway about it; null after enough requests. */
    checkAt: moment(),
    checks: integer().notNull().default(0),
    /** Consecutive requests that the gateway did not answer. */
    failedChecks: integer().notNull().default(0),
    progress: text({ enum: orderProgress }),
    declineReason: text({ enum: declineReasons }),
    /** The subscription whose unused days lower the price of this order; it ends when the order is paid. */
    replacesId: text().references(() => subscriptions.id),
    /** Whether the buyer of a plan agreed to renewals; false when it was sold for one period. */
    renews: boolean().notNull().default(true),
    /** When the gateway was last asked about refunds. */
    reversalsCheckedAt: moment(),
    /** When a waiting user last had it checked. */
    checkRequestedAt: moment(),
    createdAt: createdAt(),
    paidAt: moment(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    index().on(t.subscriptionId),
    index().on(t.createdAt, t.id),
    index().on(t.status, t.createdAt),
    index('orders_to_check').on(t.checkAt).where(sql`${t.checkAt} is not null`),
    index('orders_by_day').on(sql`coalesce(${t.paidAt}, ${t.createdAt})`),
    index('orders_paid').on(t.paidAt).where(sql`${t.status} = 'paid'`),
    // Opening the payment page twice returns the same order.
    uniqueIndex('one_open_plan_order')
      .on(t.userId, t.planVersionId, sql`coalesce(${t.promoId}, '')`)
      .where(sql`${t.status} = 'pending' and ${t.kind} = 'plan'`),
    uniqueIndex('one_open_bundle_order')
      .on(t.userId, t.bundleId)
      .where(sql`${t.status} = 'pending' and ${t.kind} = 'bundle'`),
    check('order_kind', sql`${t.kind} in ('plan', 'renewal', 'bundle')`),
    check('order_status', sql`${t.status} in ('pending', 'paid', 'failed', 'expired', 'refunded', 'charged_back')`),
    check(
      'order_of_one_thing',
      sql`(${t.kind} = 'bundle') = (${t.bundleId} is not null) and (${t.kind} = 'bundle') = (${t.planVersionId} is null)`,
    ),
    check('renewal_of_a_subscription', sql`${t.kind} <> 'renewal' or ${t.subscriptionId} is not null`),
    check('order_positive', sql`${t.amount} > 0 and ${t.symbols} > 0`),
    check('order_paid', sql`(${t.status} in ('paid', 'refunded', 'charged_back')) = (${t.paidAt} is not null)`),
    check('order_paid_by_a_payment', sql`${t.paidAt} is null or ${t.gatewayUid} is not null`),
    check('order_refund', sql`${t.refundedAmount} >= 0 and (${t.paidAt} is not null or ${t.refundedAmount} = 0)`),
    check('order_discount', sql`(${t.promoId} is null) = (${t.discountPercent} is null)`),
  ],
)

/** Refunds and chargebacks, by the payment's id: one may arrive before its payment is known. */
export const reversals = pgTable(
  'reversals',
  {
    uid: text().primaryKey(),
    gateway: gateway(),
    parentUid: text().notNull(),
    kind: text({ enum: ['refund', 'chargeback'] }).notNull(),
    amount: money().notNull(),
    currency: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.parentUid),
    check('reversal_kind', sql`${t.kind} in ('refund', 'chargeback')`),
    check('reversal_positive', sql`${t.amount} > 0`),
  ],
)

/** What the gateway reported, by a webhook or in answer to a request; each report is stored once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    gateway: gateway(),
    dedupeKey: text().notNull().unique(),
    /** Without secrets and personal data. */
    body: jsonb().notNull(),
    /** An HMAC of the payer's address: an admin who knows the address can find the payment. */
    payerHash: text(),
    deliveries: integer().notNull().default(1),
    receivedAt: createdAt(),
    processedAt: moment(),
    /** It concerns no known order or subscription. */
    orphan: boolean().notNull().default(false),
    /** Why it was rejected. */
    problem: text(),
    /** Every id it mentions: payments, subscriptions, checkouts, orders. */
    refs: text().array().notNull().default(sql`'{}'`),
    resolvedAt: moment(),
    resolvedBy: text().references(() => users.id, { onDelete: 'set null' }),
    resolution: text(),
  },
  (t) => [
    index().on(t.receivedAt),
    index('payment_events_odd').on(t.receivedAt).where(isProblem(t)),
    index('payment_events_refs').using('gin', t.refs),
    index('payment_events_payer').on(t.payerHash).where(sql`${t.payerHash} is not null`),
    check('event_resolved', sql`(${t.resolvedAt} is null) = (${t.resolution} is null)`),
  ],
)

export const problemKinds = [
  'lost_discount',
  'ownerless_payment',
  'missing_subscription',
  'refund_canceled',
  'receipt_rejected',
  'receipt_late',
] as const

/** What this server found wrong by itself and an admin has to know. */
export const paymentProblems = pgTable(
  'payment_problems',
  {
    id: text().primaryKey(),
    key: text().notNull().unique(),
    gateway: gateway(),
    kind: text({ enum: problemKinds }).notNull(),
    orderId: text().references(() => orders.id, { onDelete: 'cascade' }),
    subscriptionId: text().references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** The id and the status at the gateway of the payment or the subscription. */
    uid: text().notNull(),
    status: text().notNull(),
    amount: money(),
    currency: text(),
    /** What happened and what to do, in Russian. */
    sentence: text().notNull(),
    createdAt: createdAt(),
    /** When it was over by itself. */
    endedAt: moment(),
    resolvedAt: moment(),
    resolvedBy: text().references(() => users.id, { onDelete: 'set null' }),
    resolution: text(),
  },
  (t) => [
    index().on(t.createdAt),
    index().on(t.orderId),
    index().on(t.subscriptionId),
    check(
      'problem_kind',
      sql`${t.kind} in ('lost_discount', 'ownerless_payment', 'missing_subscription', 'refund_canceled', 'receipt_rejected', 'receipt_late')`,
    ),
    check('problem_of_one_thing', sql`(${t.orderId} is null) <> (${t.subscriptionId} is null)`),
    check('problem_resolved', sql`(${t.resolvedAt} is null) = (${t.resolution} is null)`),
  ],
)

/** Events that were not applied, or that belong to no known order. */
function isProblem(t: { orphan: unknown; problem: unknown; processedAt: unknown }): SQL {
  return sql`(${t.orphan} or ${t.problem} is not null or ${t.processedAt} is null)`
}
export const isProblemEvent = () => isProblem(paymentEvents)

/** Who agreed to renewals, when, from which IP and to which text. */
export const consents = pgTable(
  'consents',
  {
    id: text().primaryKey(),
    userId: payer(),
    planVersionId: text()
      .notNull()
      .references(() => planVersions.id),
    textVersion: text().notNull(),
    ip: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.userId)],
)
