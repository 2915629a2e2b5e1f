import { boolean, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith } from './columns.ts'

/** Whether a help page was useful: one vote per reader and page, the last one counts. */
export const helpFeedback = pgTable(
  'help_feedback',
  {
    userId: deletedWith(() => users.id),
    slug: text().notNull(),
    useful: boolean().notNull(),
    at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.slug] })],
)
