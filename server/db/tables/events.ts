import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt } from './columns.ts'

/** What happened in the product, for its statistics. Outlives the user, without the name. */
export const events = pgTable(
  'events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    event: text().notNull(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    at: createdAt(),
    props: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [index().on(t.event, t.at), index().on(t.userId)],
)
