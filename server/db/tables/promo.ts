import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols } from './columns.ts'

/** A code adds symbols or takes a percent off a plan. The code itself is not kept, only what it can be known again by. */
export const promoCodes = pgTable(
  'promo_codes',
  {
    id: text().primaryKey(),
    codeHash: text().notNull().unique(),
    /** The last characters. */
    hint: text().notNull(),
    symbols: symbols().notNull().default(0),
    discountPercent: integer(),
    /** How many people may use it; null for any number. */
    maxUses: integer(),
    uses: integer().notNull().default(0),
    startsAt: moment(),
    expiresAt: moment(),
    firstPurchaseOnly: boolean().notNull().default(false),
    active: boolean().notNull().default(true),
    /** Switched off for good. */
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

/** Who has used a code: everybody once. */
export const promoUses = pgTable(
  'promo_uses',
  {
    promoId: text()
      .notNull()
      .references(() => promoCodes.id),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The order it lowered, for a percent. */
    orderId: text(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.promoId, t.userId] }), index().on(t.userId), index().on(t.orderId)],
)
