import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols } from './columns.ts'
import { orders } from './payments.ts'

/** Written only by the functions of server/db/functions/money.sql; constraints make wrong states impossible for them too. */

const owner = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** One row a user: whoever moves a balance locks it first, so parallel callers queue in one order. */
export const balances = pgTable(
  'balances',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What all grants still hold. */
    total: symbols().notNull().default(0),
    /** How much of it is promised to answers that are running. */
    held: symbols().notNull().default(0),
    /** The user's own limit for a day; null for none. */
    dailyCap: symbols(),
    spentDay: date({ mode: 'string' }),
    spentToday: symbols().notNull().default(0),
    /** How many stops before the first word were free on `freeStopsDay`. */
    freeStopsDay: date({ mode: 'string' }),
    freeStops: integer().notNull().default(0),
    /** True since the last symbol went until new ones come: the end of a balance is told once. */
    exhausted: boolean().notNull().default(false),
  },
  (t) => [check('balance_holds', sql`${t.held} >= 0 and ${t.total} >= ${t.held}`)],
)

export const grantKinds = ['plan', 'bundle', 'promo', 'gift', 'refund'] as const
export const spendKinds = ['answer', 'translate', 'image', 'transcription', 'indexing', 'balance'] as const
export const lossKinds = ['expiry', 'take_back', 'chargeback'] as const
export const entryKinds = [...grantKinds, ...spendKinds, ...lossKinds] as const

/** Symbols given for one reason, and how many of them are left. */
export const grants = pgTable(
  'grants',
  {
    id: text().primaryKey(),
    userId: owner(),
    kind: text({ enum: grantKinds }).notNull(),
    symbols: symbols().notNull(),
    remaining: symbols().notNull(),
    expiresAt: moment(),
    /** The paid order behind it, for plans and bundles. */
    orderId: text().references(() => orders.id),
    note: text(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    uniqueIndex('one_grant_an_order').on(t.orderId),
    index('grants_live').on(t.userId).where(sql`${t.remaining} > 0`),
    index('grants_to_expire').on(t.expiresAt).where(sql`${t.remaining} > 0 and ${t.expiresAt} is not null`),
    check('grant_within_itself', sql`${t.symbols} > 0 and ${t.remaining} >= 0 and ${t.remaining} <= ${t.symbols}`),
    check('grant_kind', sql`${t.kind} in ('plan', 'bundle', 'promo', 'gift', 'refund')`),
    check('bought_grant_has_order', sql`(${t.kind} in ('plan', 'bundle')) = (${t.orderId} is not null)`),
  ],
)

/** Symbols promised to something that runs, until it is settled or released. */
export const holds = pgTable(
  'holds',
  {
    /** The caller's own: the same key holds once. */
    key: text().primaryKey(),
    userId: owner(),
    kind: text({ enum: spendKinds }).notNull(),
    symbols: symbols().notNull(),
    state: text({ enum: ['active', 'settled', 'released'] })
      .notNull()
      .default('active'),
    /** The process that works under it; null for work that goes on elsewhere when its process dies. */
    instance: text(),
    /** Nothing runs as long as that: a hold that is still active then was forgotten. */
    leaseUntil: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId),
    index('holds_running').on(t.userId, t.kind).where(sql`${t.state} = 'active'`),
    index('holds_by_instance').on(t.instance).where(sql`${t.state} = 'active'`),
    index('holds_by_lease').on(t.leaseUntil).where(sql`${t.state} = 'active'`),
    check('hold_not_negative', sql`${t.symbols} >= 0`),
    check('hold_state', sql`${t.state} in ('active', 'settled', 'released')`),
  ],
)

/** Append-only, and a trigger keeps it so: why a balance moved, by how much, and what it was afterwards. */
export const ledger = pgTable(
  'ledger',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: owner(),
    /** Makes a repeat harmless: the same key is posted once. */
    key: text().notNull().unique(),
    kind: text({ enum: entryKinds }).notNull(),
    symbols: symbols().notNull(),
    balanceAfter: symbols().notNull(),
    /** Which grants it came from or went to: `[{grant, symbols}]`. */
    parts: jsonb().$type<{ grant: string; symbols: number }[]>().notNull(),
    modelId: text(),
    threadId: text(),
    messageId: text(),
    input: bigint({ mode: 'number' }),
    output: bigint({ mode: 'number' }),
    inputRate: doublePrecision(),
    outputRate: doublePrecision(),
    /** Money that moved with it, in minor units. */
    amount: bigint({ mode: 'number' }),
    currency: text(),
    note: text(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.id),
    // The owner reads by time, whatever else he asks for.
    index().on(t.createdAt, t.id),
    // Answers are nearly all of it: those are found without an index, and what is rare does not cost them one.
    index('ledger_rare_kinds').on(t.kind, t.createdAt, t.id).where(sql`${t.kind} <> 'answer'`),
    check('ledger_never_below_zero', sql`${t.balanceAfter} >= 0`),
    check('ledger_moves', sql`${t.symbols} <> 0`),
  ],
)
