import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment, symbols } from './columns.ts'

/** Money in minor units. */
const money = () => bigint({ mode: 'number' })

export const plans = pgTable(
  'plans',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    active: boolean().notNull().default(true),
    position: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.position)],
)

/** What a plan gives and costs. Immutable: a new price is a new version, and existing subscribers keep theirs. */
export const planVersions = pgTable(
  'plan_versions',
  {
    id: text().primaryKey(),
    planId: text()
      .notNull()
      .references(() => plans.id),
    current: boolean().notNull().default(true),
    symbols: symbols().notNull(),
    price: money().notNull(),
    currency: text().notNull(),
    intervalDays: integer().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.planId),
    uniqueIndex('plan_sells_one_version').on(t.planId).where(sql`${t.current}`),
    check('plan_version_positive', sql`${t.symbols} > 0 and ${t.price} > 0 and ${t.intervalDays} > 0`),
    check('plan_version_currency', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)

/** Symbols sold once, without an end. */
export const bundles = pgTable(
  'bundles',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    symbols: symbols().notNull(),
    price: money().notNull(),
    currency: text().notNull(),
    active: boolean().notNull().default(true),
    position: integer().notNull().default(0),
    /** Orders reference it, so a bundle that is no longer sold stays. */
    deletedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.position),
    check('bundle_positive', sql`${t.symbols} > 0 and ${t.price} > 0`),
    check('bundle_currency', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)
