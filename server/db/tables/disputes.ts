import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { ledger } from './billing.ts'
import { createdAt, moment } from './columns.ts'

export const disputeStates = ['open', 'returned', 'refused'] as const

/** A user does not agree with a charge. One for an entry, whatever it comes to. */
export const disputes = pgTable(
  'disputes',
  {
    id: text().primaryKey(),
    entryId: bigint({ mode: 'number' })
      .notNull()
      .unique()
      .references(() => ledger.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: disputeStates }).notNull().default('open'),
    reason: text().notNull(),
    answer: text(),
    decidedBy: text().references(() => users.id, { onDelete: 'set null' }),
    decidedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.status, t.createdAt),
    check('dispute_status', sql`${t.status} in ('open', 'returned', 'refused')`),
    check('dispute_decided', sql`(${t.status} = 'open') = (${t.decidedAt} is null)`),
  ],
)
