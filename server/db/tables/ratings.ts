import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { RatingReason } from '#contract/ratings.ts'
import { users } from './auth.ts'
import { createdAt, deletedWith } from './columns.ts'
import { messages } from './threads.ts'

/** What a person thinks of an answer. Deleted with the answer and with the person; the figures stay. */
export const ratings = pgTable(
  'ratings',
  {
    messageId: deletedWith(() => messages.id),
    userId: deletedWith(() => users.id),
    modelId: text().notNull(),
    verdict: text({ enum: ['good', 'bad'] }).notNull(),
    /** Set for a bad rating only. */
    reason: text().$type<RatingReason>(),
    comment: text().notNull().default(''),
    /** When it was given or last changed. */
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.userId] }),
    index().on(t.userId),
    index().on(t.modelId, t.createdAt.desc().nullsFirst()),
    index().on(t.createdAt),
  ],
)
