import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols } from './columns.ts'

/**
 * What one person has had once. Refers to nobody and is kept when the account is deleted: a mark is an HMAC of an
 * address or of an account at a provider, and says nothing without the server's key.
 */
export const personMarks = pgTable(
  'person_marks',
  {
    mark: text().notNull(),
    /** `gift`, `purchase` or `promo:` and the id of the code. */
    subject: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.mark, t.subject] })],
)

export const giftRejectionReasons = ['repeated', 'disposable', 'network'] as const

/** Who came without getting the symbols of the start, and why. */
export const giftRejections = pgTable(
  'gift_refusals',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text({ enum: giftRejectionReasons }).notNull(),
    symbols: symbols().notNull(),
    createdAt: createdAt(),
    /** An administrator gave them by hand. */
    givenAt: moment(),
  },
  (t) => [
    index('gift_refusals_open').on(t.createdAt).where(sql`${t.givenAt} is null`),
    check('gift_refusal_reason', sql`${t.reason} in ('repeated', 'disposable', 'network')`),
  ],
)
