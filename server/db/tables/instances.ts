import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'

/** The processes of the product. What runs in one names its id; when it dies, others end or take over what it owned. */
export const instances = pgTable(
  'instances',
  {
    id: text().primaryKey(),
    /** The same for every start of one installation on one machine. */
    name: text().notNull(),
    startedAt: createdAt(),
    /** Written every second or two while it lives. */
    seenAt: createdAt(),
    /** Set when it was found dead; the row goes when nothing is left of its work. */
    endedAt: moment(),
  },
  (t) => [index('instances_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`)],
)
