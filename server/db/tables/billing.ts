import { sql } from 'drizzle-orm'
import { check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols } from './columns.ts'

/** One row a user: the row that everybody who moves a balance locks first. */
export const balances = pgTable(
  'balances',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What all live grants still hold. */
    total: symbols().notNull().default(0),
  },
  (t) => [check('balance_not_negative', sql`${t.total} >= 0`)],
)

/** Symbols given for one reason, and how many of them are left. */
export const grants = pgTable(
  'grants',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['gift'] }).notNull(),
    symbols: symbols().notNull(),
    remaining: symbols().notNull(),
    expiresAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId),
    check('grant_within_itself', sql`${t.remaining} >= 0 and ${t.remaining} <= ${t.symbols}`),
  ],
)

/** Append-only: why a balance moved, and what it was afterwards. */
export const ledger = pgTable(
  'ledger',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Makes a repeat harmless: the same key is posted once. */
    key: text().notNull().unique(),
    kind: text({ enum: ['gift'] }).notNull(),
    symbols: symbols().notNull(),
    balanceAfter: symbols().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.userId, t.createdAt), check('ledger_never_below_zero', sql`${t.balanceAfter} >= 0`)],
)
