import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith, moment, symbols } from './columns.ts'

/** Symbols of a user's files embedded in a month, including files deleted later. */
export const embeddingUse = pgTable(
  'embedding_use',
  {
    userId: deletedWith(() => users.id),
    /** The first day of the month. */
    month: date({ mode: 'string' }).notNull(),
    symbols: symbols().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.userId, t.month] })],
)

/** The bytes are in the storage under `storageKey`; the extracted text is here. */
export const files = pgTable(
  'files',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    /** The assistant or the project whose files are searched together; files of a chat belong to messages. */
    libraryId: text('assistant_id'),
    kind: text({ enum: ['image', 'document'] }).notNull(),
    name: text().notNull(),
    mime: text().notNull(),
    bytes: integer().notNull(),
    storageKey: text().notNull(),
    state: text({ enum: ['uploaded', 'reading', 'indexing', 'ready', 'failed'] }).notNull(),
    progress: integer().notNull().default(0),
    error: text(),
    /** Number of the current reading: a former reader that resumes finds another number. */
    tries: integer().notNull().default(0),
    instance: text(),
    /** While no instance reads it, a sweep claims it after this moment; a new file is read by its upload first. */
    claimableAt: moment().notNull().default(sql`now() + interval '30 seconds'`),
    /** The owner agreed to pay for embeddings beyond the free symbols of the month. */
    mayCharge: boolean().notNull().default(false),
    /** What its embeddings will cost, while the owner has not agreed. */
    price: symbols(),
    /** Symbols that count in `embedding_use`, and the hold for the paid ones, while they are embedded. */
    counted: symbols().notNull().default(0),
    countedMonth: date({ mode: 'string' }),
    hold: text(),
    /** What its embeddings cost. */
    charged: symbols().notNull().default(0),
    /** How many symbols it adds to a question. */
    symbols: integer(),
    content: text(),
    /** Where pages or sheets begin in `content`: `[{name, offset}]`. */
    pages: jsonb().$type<{ name: string; offset: number }[]>(),
    /** Pages without a usable text, by number from 1: a model that sees can read them. */
    needsReading: jsonb().$type<number[]>(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    index().on(t.libraryId),
    index('files_by_storage_key').on(t.storageKey),
    index('files_unfinished').on(t.createdAt).where(sql`${t.state} in ('uploaded', 'reading', 'indexing')`),
  ],
)
