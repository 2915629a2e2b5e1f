import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import type { EarlyStop } from '#contract/threads.ts'
import { users } from './auth.ts'
import { createdAt, moment, symbols, tsvector } from './columns.ts'
import { files } from './files.ts'
import { citationList, inputParts } from './message-json.ts'
import { models } from './models.ts'

export const threads = pgTable(
  'threads',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    /** Who named it. What a person typed is never overwritten. */
    titleSource: text({ enum: ['default', 'auto', 'user'] })
      .notNull()
      .default('default'),
    assistantId: text(),
    modelId: text().references(() => models.id, { onDelete: 'set null' }),
    currentLeafId: text(),
    version: integer().notNull().default(0),
    pinned: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    deletedAt: moment(),
    shareId: text().unique(),
    /** The end of the branch that was shared, and when. */
    sharedLeafId: text(),
    sharedAt: moment(),
    /** The title as it was then. */
    sharedTitle: text(),
    search: tsvector().generatedAlwaysAs(sql`to_tsvector('russian', translate(title, 'ёЁ', 'еЕ'))`),
    createdAt: createdAt(),
    /** When it was last written in; lists go by it. */
    updatedAt: createdAt(),
  },
  (t) => [
    index('threads_active')
      .on(t.userId, t.pinned.desc().nullsFirst(), t.updatedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.deletedAt} is null and not ${t.archived}`),
    index('threads_archived')
      .on(t.userId, t.updatedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.deletedAt} is null and ${t.archived}`),
    index('threads_trash')
      .on(t.userId, t.deletedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.deletedAt} is not null`),
    index().on(t.userId),
    index('threads_to_purge').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    index('threads_search').using('gin', t.search),
  ],
)

/** What must be known of an answer that is being written, to end it rightly if its writer dies. */
export interface AnswerRun {
  /** The key of the hold behind it. */
  hold: string
  /** How much of the text was there before. */
  offset: number
  input: number
  inputRate: number
  outputRate: number
  /** What a picture costs, which has no length. */
  price?: number
}

export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey(),
    threadId: text()
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    /** The thread's owner again: who may read a message is asked with every one. It goes with its thread. */
    userId: text().notNull(),
    parentId: text().references((): AnyPgColumn => messages.id),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    status: text({ enum: ['streaming', 'complete', 'stopped', 'interrupted', 'failed', 'out_of_symbols'] }).notNull(),
    modelId: text(),
    /** Totals over all runs that were charged. */
    input: symbols().notNull().default(0),
    output: symbols().notNull().default(0),
    charged: symbols().notNull().default(0),
    parts: inputParts(),
    /** The passages of files an answer was given, as it numbers them. */
    citations: citationList('sources'),
    errorCode: text(),
    errorMessage: text(),
    /** Set while it is being written. A failed answer keeps its last one: that no charge came of it can be checked. */
    run: jsonb().$type<AnswerRun>(),
    /** The process that writes it. */
    instance: text(),
    /** Somebody asked to stop it; the process that writes it looks here. */
    stopRequested: boolean().notNull().default(false),
    /** Set when its last run was stopped before the first word, after the provider had been asked. */
    earlyStop: jsonb().$type<EarlyStop>(),
    /** Read by the previous release only, which takes an answer with an old one for dead. Goes with the next release. */
    heartbeatAt: moment(),
    /** What the provider counted, or what we guess it counted. */
    inputTokens: integer(),
    outputTokens: integer(),
    tokensGuessed: boolean(),
    /** What it cost the owner, in minor units of `costCurrency`. */
    cost: doublePrecision(),
    costCurrency: text(),
    firstTokenMs: integer(),
    totalMs: integer(),
    /** Came along with a fork: it was written, counted and paid for elsewhere. */
    copied: boolean().notNull().default(false),
    /** Filled when the text is final. */
    search: tsvector(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.parentId),
    index('messages_first').on(t.threadId, t.createdAt).where(sql`${t.parentId} is null`),
    index().on(t.threadId, t.createdAt),
    index().on(t.createdAt),
    index('messages_streaming').on(t.userId).where(sql`${t.status} = 'streaming'`),
    index('messages_search').using('gin', t.search),
    check('message_status', sql`${t.role} = 'assistant' or ${t.status} = 'complete'`),
    index('messages_by_instance').on(t.instance).where(sql`${t.status} = 'streaming'`),
    index('messages_to_stop').on(t.instance).where(sql`${t.stopRequested}`),
    check('message_run', sql`${t.status} <> 'streaming' or ${t.run} is not null`),
  ],
)

/**
 * The text of an answer that is being written, piece by piece: adding one costs the same however long the answer is.
 * At the end the whole text goes into the message and the pieces go. `at` and `upto` are lengths of the whole text.
 */
export const messageChunks = pgTable(
  'message_chunks',
  {
    messageId: text()
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    at: integer().notNull(),
    upto: integer().notNull(),
    text: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.at] }), check('chunk_length', sql`${t.upto} > ${t.at}`)],
)

/**
 * What strangers may read of a shared thread. The text is copied only when the message changes afterwards, by a trigger:
 * null means that it is still the text that was shared. A message that is deleted is gone from here too.
 */
export const sharedMessages = pgTable(
  'shared_messages',
  {
    threadId: text()
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    messageId: text()
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    content: text(),
  },
  (t) => [primaryKey({ columns: [t.messageId] }), index().on(t.threadId, t.position)],
)

export const messageFiles = pgTable(
  'message_files',
  {
    messageId: text()
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    fileId: text()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.fileId] }), index().on(t.fileId)],
)
