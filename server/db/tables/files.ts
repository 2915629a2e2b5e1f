import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment } from './columns.ts'

/** What people brought. The bytes are in the storage, under `storageKey`; the text that was read out is here. */
export const files = pgTable(
  'files',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Set for an assistant's files; a chat's files belong to messages. */
    assistantId: text(),
    kind: text({ enum: ['image', 'document'] }).notNull(),
    name: text().notNull(),
    mime: text().notNull(),
    bytes: integer().notNull(),
    storageKey: text().notNull(),
    state: text({ enum: ['uploaded', 'reading', 'indexing', 'ready', 'failed'] }).notNull(),
    progress: integer().notNull().default(0),
    error: text(),
    /** How often its reading was begun: a former reader that wakes up finds another number. */
    tries: integer().notNull().default(0),
    /** The process that reads it. */
    instance: text(),
    /** Read by the previous release only; goes with the next. */
    claimedAt: moment(),
    /** What it counts as in a question. */
    symbols: integer(),
    content: text(),
    /** Where pages or sheets begin in `content`: `[{name, offset}]`. */
    pages: jsonb().$type<{ name: string; offset: number }[]>(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    index().on(t.assistantId),
    index('files_by_storage_key').on(t.storageKey),
    index('files_unfinished').on(t.createdAt).where(sql`${t.state} in ('uploaded', 'reading', 'indexing')`),
  ],
)
