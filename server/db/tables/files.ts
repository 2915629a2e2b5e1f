import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols } from './columns.ts'

/** How many symbols of a person's files were embedded in a month: files deleted later count too. */
export const embeddingUse = pgTable(
  'embedding_use',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The first day of the month. */
    month: date({ mode: 'string' }).notNull(),
    symbols: symbols().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.userId, t.month] })],
)

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
    /** Its owner agreed to pay for its vectors when the free symbols of the month are used up. */
    mayCharge: boolean().notNull().default(false),
    /** What its vectors will cost, while they wait for the owner to agree. */
    price: symbols(),
    /** Symbols of it that count in `embedding_use`, and the hold for those that are paid, while they are embedded. */
    counted: symbols().notNull().default(0),
    countedMonth: date({ mode: 'string' }),
    hold: text(),
    /** What its vectors cost. */
    charged: symbols().notNull().default(0),
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
