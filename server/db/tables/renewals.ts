import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, gateway, moment, money } from './columns.ts'
import { orders, subscriptions } from './payments.ts'

/** What we do at a gateway by our own schedule: refunds that take days, charges of saved methods, receipts. */

export const refundStates = ['requested', 'pending', 'succeeded', 'canceled'] as const

/** Refunds that the gateway carries out later; written before the request, with its id as the key of the request. */
export const refunds = pgTable(
  'refunds',
  {
    id: text().primaryKey(),
    gateway: gateway(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** At the gateway; null until it has answered. */
    uid: text().unique(),
    state: text({ enum: refundStates }).notNull().default('requested'),
    amount: money().notNull(),
    currency: text().notNull(),
    reason: text().notNull(),
    /** The reason of the gateway for cancelling it. */
    cancelReason: text(),
    checkAt: moment(),
    failedChecks: integer().notNull().default(0),
    createdAt: createdAt(),
    endedAt: moment(),
  },
  (t) => [
    uniqueIndex('one_open_refund').on(t.orderId).where(sql`${t.endedAt} is null`),
    index('refunds_to_check').on(t.checkAt).where(sql`${t.checkAt} is not null`),
    check('refund_state', sql`${t.state} in ('requested', 'pending', 'succeeded', 'canceled')`),
    check('refund_positive', sql`${t.amount} > 0`),
    check('refund_ended', sql`(${t.state} in ('succeeded', 'canceled')) = (${t.endedAt} is not null)`),
  ],
)

/** A method that we may charge without the payer. The row stays as a record after it was removed, without its token. */
export const paymentMethods = pgTable(
  'payment_methods',
  {
    id: text().primaryKey(),
    gateway: gateway(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    /** The gateway's id of it, encrypted; null once it is removed. */
    token: text(),
    /** As the gateway names it: `bank_card`, `sbp`. */
    kind: text().notNull(),
    last4: text(),
    brand: text(),
    createdAt: createdAt(),
    /** When the payer confirmed it; null before. */
    activeAt: moment(),
    removedAt: moment(),
    /** `payer`, `replaced`, `revoked` at the bank, `account` deleted, `expired` unconfirmed. */
    removedBy: text(),
  },
  (t) => [
    index().on(t.userId),
    uniqueIndex('one_active_method').on(t.userId).where(sql`${t.activeAt} is not null and ${t.removedAt} is null`),
    check('removed_without_token', sql`${t.removedAt} is null or ${t.token} is null`),
    check('method_removed', sql`(${t.removedAt} is null) = (${t.removedBy} is null)`),
  ],
)

/** What a gateway does not allow this shop, learnt from its answers; a row goes when a check finds it allowed. */
export const shopRefusals = pgTable(
  'shop_refusals',
  {
    gateway: gateway(),
    /** `pay`: nobody can pay so. `save`: it cannot be charged again, so plans are sold for one period. */
    what: text({ enum: ['pay', 'save'] }).notNull(),
    /** `any` stands for what the payer chooses on the gateway's page. */
    method: text().notNull(),
    /** The gateway's own words. */
    words: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.gateway, t.what, t.method] }),
    check('refusal_what', sql`${t.what} in ('pay', 'save')`),
  ],
)

export const renewalStates = ['charging', 'waiting', 'paid', 'failed'] as const

/** One row per subscription and period that we charge, written before the request. */
export const renewals = pgTable(
  'renewals',
  {
    subscriptionId: text()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** The number of the period; the first one is paid on the pay page. */
    cycle: integer().notNull(),
    state: text({ enum: renewalStates }).notNull().default('charging'),
    /** The order of the last attempt, whose id is the key of the request. */
    orderId: text()
      .notNull()
      .unique()
      .references(() => orders.id),
    methodId: text().references(() => paymentMethods.id),
    attempts: integer().notNull().default(1),
    /** When the next attempt is made after a decline. */
    nextAt: moment(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.cycle] }),
    check('renewal_state', sql`${t.state} in ('charging', 'waiting', 'paid', 'failed')`),
    check('renewal_waits_until', sql`(${t.state} = 'waiting') = (${t.nextAt} is not null)`),
  ],
)

export const receiptStates = ['pending', 'registered', 'rejected'] as const

/** A fiscal receipt of a payment or a refund. Its settings are those of its time. */
export const receipts = pgTable(
  'receipts',
  {
    id: text().primaryKey(),
    gateway: gateway(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['payment', 'refund'] }).notNull(),
    /** The payment or the refund at the gateway. */
    paymentUid: text().notNull(),
    /** The receipt at the gateway; null until it is known there. */
    uid: text().unique(),
    state: text({ enum: receiptStates }).notNull().default('pending'),
    amount: money().notNull(),
    currency: text().notNull(),
    vatCode: integer().notNull(),
    taxSystem: integer(),
    subject: text().notNull(),
    mode: text().notNull(),
    fiscalStorage: text(),
    fiscalDocument: text(),
    fiscalAttribute: text(),
    registeredAt: moment(),
    /** How often it was sent; the first time together with the payment. */
    attempts: integer().notNull().default(1),
    checkAt: moment(),
    failedChecks: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.orderId),
    uniqueIndex('one_receipt').on(t.paymentUid, t.kind),
    index('receipts_to_check').on(t.checkAt).where(sql`${t.checkAt} is not null`),
    check('receipt_state', sql`${t.state} in ('pending', 'registered', 'rejected')`),
    check('receipt_kind', sql`${t.kind} in ('payment', 'refund')`),
    check('receipt_positive', sql`${t.amount} > 0`),
    check('receipt_registered', sql`(${t.state} = 'registered') = (${t.registeredAt} is not null)`),
  ],
)
