import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Citation, EarlyStop, ImportedFrom, InputParts, MaskedCounts } from '#contract/threads.ts'
import type { WebUse } from '#contract/web-search.ts'
import { titleWords } from '../title-words.ts'
import { users } from './auth.ts'
import { createdAt, deletedWith, moment, symbols, tsvector } from './columns.ts'
import { files } from './files.ts'
import { models } from './models.ts'
import { projects } from './projects.ts'

export const threads = pgTable(
  'threads',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    title: text().notNull(),
    /** A title typed by the user is never overwritten. */
    titleSource: text({ enum: ['default', 'auto', 'user'] })
      .notNull()
      .default('default'),
    assistantId: text(),
    projectId: text().references(() => projects.id, { onDelete: 'set null' }),
    modelId: text().references(() => models.id, { onDelete: 'set null' }),
    /** The retired model that it was moved from; null once its owner has seen that or chosen a model. */
    movedFrom: text(),
    currentLeafId: text(),
    version: integer().notNull().default(0),
    pinned: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    /** Left out of lists and search, and deleted soon after its last message. */
    temporary: boolean().notNull().default(false),
    deletedAt: moment(),
    shareId: text().unique(),
    sharedLeafId: text(),
    sharedAt: moment(),
    /** The title when it was shared. */
    sharedTitle: text(),
    search: tsvector().generatedAlwaysAs(sql`to_tsvector('russian', translate(title, 'ёЁ', 'еЕ'))`),
    createdAt: createdAt(),
    /** When it was last written in; lists are ordered by it. */
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
    index('threads_of_project').on(t.projectId).where(sql`${t.projectId} is not null`),
    index('threads_to_purge').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    index('threads_temporary').on(t.updatedAt).where(sql`${t.temporary}`),
    index('threads_search').using('gin', t.search),
    index('threads_title_words').using('gin', titleWords(t.title)),
  ],
)

/** What is needed to finish a running answer correctly if its instance dies. */
export interface AnswerRun {
  /** The key of its hold. */
  hold: string
  /** The length of the text before this run. */
  offset: number
  input: number
  inputRate: number
  outputRate: number
  /** Absent for an image. */
  thoughtRate?: number
  cachedRate?: number | null
  /** The length of the thought before this run. */
  thoughtOffset?: number
  /** Set when a search before the answer found something. */
  searchPrice?: number
  /** The price of an image, which has no length. */
  price?: number
  note?: string
  /** Set for the first answer to a question: the statistics count the question with it. */
  isFirst?: true
}

export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey(),
    threadId: deletedWith(() => threads.id),
    /** The thread's owner again, because access is checked for every message. Deleted with the thread. */
    userId: text().notNull(),
    parentId: text().references((): AnyPgColumn => messages.id),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    status: text({ enum: ['streaming', 'complete', 'stopped', 'interrupted', 'failed', 'out_of_symbols'] }).notNull(),
    modelId: text(),
    /** Totals over all charged runs. */
    input: symbols().notNull().default(0),
    output: symbols().notNull().default(0),
    charged: symbols().notNull().default(0),
    /** What the model thought before the answer, as far as the provider shows it. Never sent back to a model. */
    thought: text().notNull().default(''),
    /** Symbols of thought over all charged runs, shown or not. */
    thoughtSymbols: symbols().notNull().default(0),
    thoughtMs: integer(),
    parts: jsonb().$type<InputParts>(),
    /** The passages given to an answer, in the order of their numbers. */
    citations: jsonb().$type<Citation[]>(),
    web: jsonb().$type<WebUse>(),
    /** The image that a question asks to change; it may be deleted by now. */
    imageId: text(),
    errorCode: text(),
    errorMessage: text(),
    /**
     * Set while it is being written. A failed answer keeps its last run, so that it can be checked that nothing was
     * charged.
     */
    run: jsonb().$type<AnswerRun>(),
    /** The instance that writes it, while it streams. */
    instance: text(),
    /** Set when a user stops it; the instance that writes it checks this column. */
    stopRequested: boolean().notNull().default(false),
    /** Set when its last run was stopped before the first token, after the provider had been called. */
    earlyStop: jsonb().$type<EarlyStop>(),
    /** How many values of each kind were masked for the model; null for none. */
    masked: jsonb().$type<MaskedCounts>(),
    /** The part of the last input that the provider had cached. */
    cachedTokens: integer(),
    /** Copied by a fork: written, counted and paid for in another thread. */
    copied: boolean().notNull().default(false),
    /** Set when it came from another service: by which import, and which model wrote it there. */
    imported: jsonb().$type<ImportedFrom>(),
    /** Set when the text is final. */
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
    // Equal keys are stored once, so it is small; with it the planner knows whose messages a word is looked for in.
    index('messages_of_user').on(t.userId),
    check('message_status', sql`${t.role} = 'assistant' or ${t.status} = 'complete'`),
    index('messages_by_instance').on(t.instance).where(sql`${t.status} = 'streaming'`),
    index('messages_to_stop').on(t.instance).where(sql`${t.stopRequested}`),
    check('message_run', sql`${t.status} <> 'streaming' or (${t.run} is not null and ${t.instance} is not null)`),
  ],
)

/** Columns of a text that is stored in chunks; `at` and `upto` are offsets in the whole text. */
const chunkColumns = () => ({
  messageId: deletedWith(() => messages.id),
  at: integer().notNull(),
  upto: integer().notNull(),
  text: text().notNull(),
})

/**
 * The text of a running answer in chunks, so that appending costs the same at any length. At the end the whole text is
 * stored in the message and the chunks are deleted.
 */
export const messageChunks = pgTable('message_chunks', chunkColumns(), (t) => [
  primaryKey({ columns: [t.messageId, t.at] }),
  check('chunk_length', sql`${t.upto} > ${t.at}`),
])

/** The same for the thought of a running answer. */
export const thoughtChunks = pgTable('thought_chunks', chunkColumns(), (t) => [
  primaryKey({ columns: [t.messageId, t.at] }),
  check('thought_chunk_length', sql`${t.upto} > ${t.at}`),
])

/** Passages of web pages in the prompt of an answer, as they were read; citations of the answer show them. */
export const webPassages = pgTable(
  'web_passages',
  {
    messageId: deletedWith(() => messages.id),
    /** The number that the answer cites it by. */
    n: integer().notNull(),
    url: text().notNull(),
    title: text().notNull(),
    site: text().notNull(),
    /** The day of publication as YYYY-MM-DD, as the page names it. */
    date: text(),
    text: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.n] })],
)

/** The beginning of a branch in few words, sent to models instead of the messages up to `coversUntil`. */
export const threadSummaries = pgTable(
  'thread_summaries',
  {
    id: text().primaryKey(),
    threadId: deletedWith(() => threads.id),
    /** The thread's owner again, as in messages. */
    userId: text().notNull(),
    coversUntil: deletedWith(() => messages.id),
    text: text().notNull(),
    /** How many messages were read for it, and their symbols. */
    messages: integer().notNull(),
    covered: symbols().notNull(),
    edited: boolean().notNull().default(false),
    /** Set when a message that it stands for was changed: it is not used until its owner saves or replaces it. */
    stale: boolean().notNull().default(false),
    modelId: text(),
    input: symbols().notNull().default(0),
    output: symbols().notNull().default(0),
    charged: symbols().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.threadId), index().on(t.coversUntil)],
)

/**
 * What visitors may read of a shared thread. A trigger copies the text only when the message changes later; null means
 * unchanged. A deleted message is deleted here too.
 */
export const sharedMessages = pgTable(
  'shared_messages',
  {
    threadId: deletedWith(() => threads.id),
    messageId: deletedWith(() => messages.id),
    position: integer().notNull(),
    content: text(),
  },
  (t) => [primaryKey({ columns: [t.messageId] }), index().on(t.threadId, t.position)],
)

export const messageFiles = pgTable(
  'message_files',
  {
    messageId: deletedWith(() => messages.id),
    fileId: deletedWith(() => files.id),
    position: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.fileId] }), index().on(t.fileId)],
)
