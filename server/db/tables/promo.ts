import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith, moment, symbols } from './columns.ts'

/** A code adds symbols or lowers the price of a plan. The code itself is not stored, only its HMAC. */
export const promoCodes = pgTable(
  'promo_codes',
  {
    id: text().primaryKey(),
    codeHash: text().notNull().unique(),
    /** Shown to admins only. */
    name: text().notNull().default(''),
    /** The last characters. */
    hint: text().notNull(),
    symbols: symbols().notNull().default(0),
    discountPercent: integer(),
    /** How many users may use it; null for any number. */
    maxUses: integer(),
    uses: integer().notNull().default(0),
    startsAt: moment(),
    expiresAt: moment(),
    firstPurchaseOnly: boolean().notNull().default(false),
    active: boolean().notNull().default(true),
    /** Disabled for good. */
    deletedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.hint),
    index().on(t.createdAt),
    check('promo_gives_one_thing', sql`${t.symbols} >= 0 and (${t.symbols} > 0) <> (${t.discountPercent} is not null)`),
    check('promo_percent', sql`${t.discountPercent} between 1 and 100`),
    check('promo_within_its_count', sql`${t.uses} >= 0 and ${t.uses} <= ${t.maxUses}`),
    check('promo_deleted_is_off', sql`${t.deletedAt} is null or not ${t.active}`),
  ],
)

/** Who has used a code: once per user. */
export const promoUses = pgTable(
  'promo_uses',
  {
    promoId: text()
      .notNull()
      .references(() => promoCodes.id),
    userId: deletedWith(() => users.id),
    /** The order whose price it lowered. */
    orderId: text(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.promoId, t.userId] }),
    index().on(t.userId),
    index().on(t.orderId),
    index().on(t.createdAt),
  ],
)

/**
 * Benefits that a person may have once. There are no foreign keys and the rows outlive the account: a hash is an HMAC
 * of an address or a provider account, useless without the server's key.
 */
export const identityHashes = pgTable(
  'identity_hashes',
  {
    hash: text().notNull(),
    /** `gift`, `purchase` or `promo:` and the id of the code. */
    subject: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.hash, t.subject] })],
)

export const giftRejectionReasons = ['repeated', 'disposable', 'network'] as const

/** New users who did not get the starting symbols, and why. */
export const giftRejections = pgTable(
  'gift_rejections',
  {
    userId: deletedWith(() => users.id).primaryKey(),
    reason: text({ enum: giftRejectionReasons }).notNull(),
    symbols: symbols().notNull(),
    createdAt: createdAt(),
    /** An admin gave them by hand. */
    givenAt: moment(),
  },
  (t) => [
    index('gift_rejections_open').on(t.createdAt).where(sql`${t.givenAt} is null`),
    check('gift_rejection_reason', sql`${t.reason} in ('repeated', 'disposable', 'network')`),
  ],
)
