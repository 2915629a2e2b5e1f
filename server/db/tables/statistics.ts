import {
  bigint,
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

/**
 * Written only by server/db/functions/statistics.sql. Nothing references the counted rows, so figures stay when the
 * rows are deleted.
 */

const day = () => date({ mode: 'string' }).notNull()
const figure = () => numeric({ mode: 'number' }).notNull()
/** A hash of the user's id, so that users can be counted without their names. */
const userHash = () => bigint({ mode: 'bigint' })

/** Changes since the last rollup, added by triggers in the transactions of the changes. */
export const statFacts = pgTable('stat_facts', {
  day: day(),
  metric: text().notNull(),
  key: text().notNull(),
  detail: text().notNull(),
  value: figure(),
  /** Null for figures of the whole product. */
  who: userHash(),
})

/**
 * Costs of requests to providers besides answers: the query of a search, the search itself, a summary, a title. They
 * are stored nowhere else, so each request has a row here.
 */
export const sideCosts = pgTable('side_costs', {
  id: text().primaryKey(),
  kind: text().$type<'query' | 'search' | 'summary' | 'title'>().notNull(),
  who: userHash().notNull(),
  /** The model in whose margin it is counted. */
  modelId: text().notNull(),
  cost: doublePrecision().notNull(),
  currency: text().notNull(),
  createdAt: createdAt(),
})

/** The figures: `answers` of 1 March by model, `revenue` by kind and currency, and so on. */
export const statDays = pgTable(
  'stat_days',
  { metric: text().notNull(), day: day(), key: text().notNull(), detail: text().notNull(), value: figure() },
  (t) => [primaryKey({ columns: [t.metric, t.day, t.key, t.detail] })],
)

/** Users active on a day, and how much: users of any period can be counted from the key alone. */
export const statActiveDays = pgTable(
  'stat_active_days',
  {
    day: day(),
    who: userHash().notNull(),
    messages: integer().notNull(),
    charged: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.who] })],
)

/** What a user's answers of a day earned and cost. */
export const statMoneyDays = pgTable(
  'stat_money_days',
  {
    day: day(),
    who: userHash().notNull(),
    currency: text().notNull(),
    earned: doublePrecision().notNull(),
    cost: doublePrecision().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.who, t.currency] })],
)

/** The latest results of checks: the state of the ledger, what is owed. */
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
