import { type SQL, sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols } from './columns.ts'
import { bundles, planVersions } from './plans.ts'

/** Money in minor units. */
const money = () => bigint({ mode: 'number' })
/** What was paid is kept for the accounts when its payer is gone. */
const payer = () => text().references(() => users.id, { onDelete: 'set null' })

/** States of the gateway in which a subscription will never charge again. */
export const endedStates = ['canceled', 'failed', 'error', 'expired'] as const

/** A subscription at the gateway. It charges by itself; we only learn of it. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    gatewayId: text().notNull().unique(),
    userId: payer(),
    planVersionId: text()
      .notNull()
      .references(() => planVersions.id),
    /** In the gateway's words. */
    state: text().notNull(),
    /** Paid until then; null before the first payment. */
    activeTo: moment(),
    renewAt: moment(),
    paidBillingCycles: integer().notNull().default(0),
    cardLast4: text(),
    cardBrand: text(),
    /** Since then we want no more charges, whether or not the gateway has heard it yet. */
    cancelRequestedAt: moment(),
    canceledAt: moment(),
    /** The money of the current period went back, and its symbols with it. */
    revokedAt: moment(),
    /** The renewal that its payer was warned of. */
    remindedFor: moment(),
    /** When to ask the gateway about it; null while there is nothing to ask. */
    checkAt: moment(),
    /** Questions in a row that the gateway did not answer. */
    failedChecks: integer().notNull().default(0),
    /** When a payer who ran out of symbols had it asked last. */
    askedAt: moment(),
    /** Since then the gateway answers that it does not exist; kept when that ended it, because it may be back. */
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

/** Paid for at least once, and going to charge again. */
function isLive(t: { activeTo: unknown; cancelRequestedAt: unknown; state: unknown }): SQL {
  return sql`${t.activeTo} is not null and ${t.cancelRequestedAt} is null and ${t.state} not in ('canceled', 'failed', 'error', 'expired')`
}
export const liveSubscription = () => isLive(subscriptions)

export const orderKinds = ['plan', 'renewal', 'bundle'] as const
export const orderStatuses = ['pending', 'paid', 'failed', 'expired', 'refunded', 'charged_back'] as const

/** Money asked for or taken, once each. */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    userId: payer(),
    kind: text({ enum: orderKinds }).notNull(),
    status: text({ enum: orderStatuses }).notNull().default('pending'),
    planVersionId: text().references(() => planVersions.id),
    bundleId: text().references(() => bundles.id),
    subscriptionId: text().references(() => subscriptions.id),
    /** What was bought, in the words of the day it was bought. */
    title: text().notNull(),
    symbols: symbols().notNull(),
    amount: money().notNull(),
    currency: text().notNull(),
    /** The code that lowered the price. */
    promoId: text(),
    discountPercent: integer(),
    gatewayToken: text().unique(),
    redirectUrl: text(),
    redirectExpiresAt: moment(),
    /** The payment at the gateway: one payment, one order. */
    gatewayUid: text().unique(),
    receiptUrl: text(),
    refundedAmount: money().notNull().default(0),
    /** When to ask the gateway about it; null when it has been asked often enough. */
    checkAt: moment(),
    checks: integer().notNull().default(0),
    /** Questions in a row that the gateway did not answer. */
    failedChecks: integer().notNull().default(0),
    /** When the gateway was last asked whether its money went back. */
    reversalsCheckedAt: moment(),
    /** When somebody who waits had it asked last. */
    askedAt: moment(),
    createdAt: createdAt(),
    paidAt: moment(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    index().on(t.subscriptionId),
    index().on(t.createdAt, t.id),
    index().on(t.status, t.createdAt),
    index('orders_to_check').on(t.checkAt).where(sql`${t.checkAt} is not null`),
    index('orders_paid').on(t.paidAt).where(sql`${t.status} = 'paid'`),
    // Whoever opens the pay page twice gets the same one.
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

/** Money that went back. Kept by the payment's number alone: it may become known before the payment does. */
export const reversals = pgTable(
  'reversals',
  {
    uid: text().primaryKey(),
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

/** What the gateway told us, each thing once however often it came. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    dedupeKey: text().notNull().unique(),
    /** Without what is secret or about a person, once `masked` says so. */
    body: jsonb().notNull(),
    masked: boolean().notNull().default(false),
    /** An HMAC of the payer's address: an administrator who knows the address finds the payment by it. */
    payerHash: text(),
    deliveries: integer().notNull().default(1),
    receivedAt: createdAt(),
    processedAt: moment(),
    /** It speaks of nothing that we know. */
    orphan: boolean().notNull().default(false),
    /** Why it was refused. */
    problem: text(),
    /** Every name it mentions: of payments, subscriptions, pay pages, orders. */
    refs: text().array().notNull().default(sql`'{}'`),
    /** An administrator has dealt with it, and says how. */
    resolvedAt: moment(),
    resolvedBy: text().references(() => users.id, { onDelete: 'set null' }),
    resolution: text(),
  },
  (t) => [
    index().on(t.receivedAt),
    index('payment_events_odd').on(t.receivedAt).where(isOdd(t)),
    index('payment_events_refs').using('gin', t.refs),
    index('payment_events_payer').on(t.payerHash).where(sql`${t.payerHash} is not null`),
    index('payment_events_unmasked').on(t.id).where(sql`not ${t.masked}`),
    check('event_resolved', sql`(${t.resolvedAt} is null) = (${t.resolution} is null)`),
  ],
)

/** Not applied, or applied to nothing. */
function isOdd(t: { orphan: unknown; problem: unknown; processedAt: unknown }): SQL {
  return sql`(${t.orphan} or ${t.problem} is not null or ${t.processedAt} is null)`
}
export const oddEvent = () => isOdd(paymentEvents)

/** Who agreed to renewal, when, from where and to which words. */
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
