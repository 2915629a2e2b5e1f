import { sql } from 'drizzle-orm'
import { boolean, check, date, index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { bytea, createdAt, deletedWith, moment, symbols } from './columns.ts'

/**
 * Keys by which programs of a user call /v1. The key itself is not stored, only its HMAC. An ended key keeps its row,
 * because ledger entries name it.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    name: text().notNull(),
    hash: text().notNull().unique(),
    /** The first and the last characters, by which its owner recognises it. */
    prefix: text().notNull(),
    lastFour: text().notNull(),
    /** Ids of models; null for all. */
    models: text().array(),
    /** In symbols, for a day and a month in UTC+3; null for none. */
    capDay: symbols(),
    capMonth: symbols(),
    /** Written only by server/db/functions/money.sql: spent on `spentDay` and in its month. */
    spentDay: date({ mode: 'string' }),
    spentToday: symbols().notNull().default(0),
    spentMonth: symbols().notNull().default(0),
    /** Addresses and networks it may be used from; empty for any. */
    addresses: text().array().notNull().default([]),
    /** Personal data is masked before a model sees it. */
    maskPersonal: boolean().notNull().default(false),
    expiresAt: moment(),
    /** Written at most once a minute. */
    lastUsedAt: moment(),
    lastUsedFrom: text(),
    endedAt: moment(),
    /** Ended by an administrator, not by its owner. */
    endedByAdmin: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    check('api_key_caps', sql`${t.capDay} >= 0 and ${t.capMonth} >= 0`),
    check('api_key_spent', sql`${t.spentToday} >= 0 and ${t.spentMonth} >= ${t.spentToday}`),
  ],
)

/**
 * Answers to calls of programs with an Idempotency-Key, for a day. Encrypted with a key that is made from that header,
 * which is not stored. Without a body while the call runs on `instance`.
 */
export const programAnswers = pgTable(
  'program_answers',
  {
    /** HMACs of API key and header, and of the request. */
    id: text().primaryKey(),
    request: text().notNull(),
    userId: deletedWith(() => users.id),
    instance: text().notNull(),
    type: text(),
    body: bytea(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.userId), index().on(t.createdAt)],
)

/** Parts of the product that the owner has switched off for all: a row for each. */
export const switchedOff = pgTable('switched_off', {
  part: text({ enum: ['api-keys'] }).primaryKey(),
  at: createdAt(),
})
