import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment } from './columns.ts'

const day = () => date({ mode: 'string' }).notNull()
/** A hash of the user's id, so that users can be counted without their names. */
const userHash = () => bigint({ mode: 'bigint' }).notNull()

/**
 * Requests to models and search engines, each with its cost and its end. The statistics count these rows and not
 * messages, because they stay when chats and accounts are deleted.
 */
export const modelCalls = pgTable(
  'model_calls',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text()
      .$type<
        | ('answer' | 'image' | 'transcription' | 'minutes' | 'scan' | 'query' | 'search' | 'summary' | 'title')
        | 'embedding'
      >()
      .notNull(),
    userHash: userHash(),
    /** The model in whose margin it is counted. */
    modelId: text().notNull(),
    /** The first answer to a question, as opposed to another answer or the rest of one. */
    isFirstAnswer: boolean().notNull().default(false),
    /** How an answer ended; null for other requests. */
    status: text(),
    /** Why it failed: the sentence of a model or an error code. */
    failure: text(),
    firstTokenMs: integer(),
    totalMs: integer(),
    /** Token counts of the provider, or our estimate. */
    inputTokens: integer(),
    outputTokens: integer(),
    /** `thoughtTokens` are a part of the output tokens, `cachedTokens` a part of the input tokens. */
    thoughtTokens: integer(),
    cachedTokens: integer(),
    tokensGuessed: boolean(),
    /** What it cost the owner, in minor units of `costCurrency`. */
    cost: doublePrecision(),
    costCurrency: text(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.createdAt)],
)

/**
 * Sums of days, written only by server/db/functions/statistics.sql. Nothing references the counted rows, so figures stay
 * when the rows are deleted. The figures: `answers` of 1 March by model, `charged` by model, and so on.
 */
export const statDays = pgTable(
  'stat_days',
  {
    day: day(),
    metric: text().notNull(),
    key: text().notNull(),
    detail: text().notNull(),
    value: numeric({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.metric, t.key, t.detail] })],
)

/** Users active on a day, and how much: users of any period can be counted from the key alone. */
export const statActiveDays = pgTable(
  'stat_active_days',
  {
    day: day(),
    userHash: userHash(),
    messages: integer().notNull(),
    charged: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.userHash] }), index().on(t.userHash, t.day)],
)

/** What a user's answers of a day earned and cost. */
export const statMoneyDays = pgTable(
  'stat_money_days',
  {
    day: day(),
    userHash: userHash(),
    currency: text().notNull(),
    earned: doublePrecision().notNull(),
    cost: doublePrecision().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.userHash, t.currency] }), index().on(t.userHash, t.day)],
)

/** The latest results of checks: the state of the ledger, what is owed, and the last day that is summed for good. */
export const statNotes = pgTable('stat_notes', {
  name: text().primaryKey(),
  at: moment().notNull(),
  value: jsonb().notNull(),
})

/** Events of the product for its statistics. They outlive the user, without the name. */
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
