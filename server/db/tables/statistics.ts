import { bigint, date, doublePrecision, integer, jsonb, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/**
 * Written only by server/db/functions/statistics.sql. Nothing here points at the rows it counts: what was counted
 * stays counted when they are gone.
 */

const day = () => date({ mode: 'string' }).notNull()
const figure = () => numeric({ mode: 'number' }).notNull()
/** A user without the name: a number made of the id, so that different people can be told apart and counted. */
const who = () => bigint({ mode: 'bigint' })

/** What changed since the sums were last made. Triggers add to it, in the transactions of the changes themselves. */
export const statFacts = pgTable('stat_facts', {
  day: day(),
  metric: text().notNull(),
  key: text().notNull(),
  detail: text().notNull(),
  value: figure(),
  /** Null for figures of the whole product. */
  who: who(),
})

/** The sums: `answers` of 1 March by model, `revenue` of it by kind and currency, and so on. */
export const statDays = pgTable(
  'stat_days',
  { metric: text().notNull(), day: day(), key: text().notNull(), detail: text().notNull(), value: figure() },
  (t) => [primaryKey({ columns: [t.metric, t.day, t.key, t.detail] })],
)

/** Who did something on a day, and how much: people of any span are counted by its key alone. */
export const statActiveDays = pgTable(
  'stat_active_days',
  { day: day(), who: who().notNull(), messages: integer().notNull(), charged: bigint({ mode: 'number' }).notNull() },
  (t) => [primaryKey({ columns: [t.day, t.who] })],
)

/** What somebody's answers of a day earned and cost. */
export const statMoneyDays = pgTable(
  'stat_money_days',
  {
    day: day(),
    who: who().notNull(),
    currency: text().notNull(),
    earned: doublePrecision().notNull(),
    cost: doublePrecision().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.who, t.currency] })],
)

/** What was found out last, and when: the state of the books, what is owed. */
export const statNotes = pgTable('stat_notes', {
  name: text().primaryKey(),
  at: moment().notNull(),
  value: jsonb().notNull(),
})
