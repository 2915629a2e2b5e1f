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
import { createdAt, deletedWith, moment, symbols } from './columns.ts'
import { orders } from './payments.ts'

/** Written only by server/db/functions/money.sql; constraints forbid invalid states. */

const owner = () => deletedWith(() => users.id)

/** One row per user. Every change locks it first, so that parallel changes run one after another. */
export const balances = pgTable(
  'balances',
  {
    userId: deletedWith(() => users.id).primaryKey(),
    /** The sum of what is left of all grants. */
    total: symbols().notNull().default(0),
    /** The part of it that is held for running work. */
    held: symbols().notNull().default(0),
    /** The user's own daily limit; null for none. */
    dailyCap: symbols(),
    spentDay: date({ mode: 'string' }),
    spentToday: symbols().notNull().default(0),
    /** Free stops before the first token on `freeStopsDay`. */
    freeStopsDay: date({ mode: 'string' }),
    freeStops: integer().notNull().default(0),
    /** True from the moment the balance ran out until new symbols arrive, so that it is reported once. */
    exhausted: boolean().notNull().default(false),
  },
  (t) => [check('balance_holds', sql`${t.held} >= 0 and ${t.total} >= ${t.held}`)],
)

export const grantKinds = ['plan', 'bundle', 'promo', 'gift', 'refund'] as const
export const spendKinds = [
  'answer',
  'translate',
  'summary',
  'image',
  'transcription',
  'minutes',
  'indexing',
  'scan',
  'balance',
] as const
export const lossKinds = ['expiry', 'take_back', 'chargeback'] as const
export const entryKinds = [...grantKinds, ...spendKinds, ...lossKinds] as const

/** Symbols given for one reason, and how many are left. */
export const grants = pgTable(
  'grants',
  {
    id: text().primaryKey(),
    userId: owner(),
    kind: text({ enum: grantKinds }).notNull(),
    symbols: symbols().notNull(),
    remaining: symbols().notNull(),
    /** For the indexes: with `remaining` in them, each charge would write to all indexes of the table. */
    isLeft: boolean().generatedAlwaysAs(sql`remaining > 0`),
    expiresAt: moment(),
    /** The paid order, for plans and bundles. */
    orderId: text().references(() => orders.id),
    note: text(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    uniqueIndex('one_grant_an_order').on(t.orderId),
    index('grants_left').on(t.userId).where(sql`${t.isLeft}`),
    index('grants_to_expire').on(t.expiresAt).where(sql`${t.isLeft} and ${t.expiresAt} is not null`),
    check('grant_within_itself', sql`${t.symbols} > 0 and ${t.remaining} >= 0 and ${t.remaining} <= ${t.symbols}`),
    check('grant_kind', sql`${t.kind} in ('plan', 'bundle', 'promo', 'gift', 'refund')`),
    check('bought_grant_has_order', sql`(${t.kind} in ('plan', 'bundle')) = (${t.orderId} is not null)`),
  ],
)

/** Symbols reserved for running work, until it is settled or released. */
export const holds = pgTable(
  'holds',
  {
    /** The caller's key: the same key holds once. */
    key: text().primaryKey(),
    userId: owner(),
    kind: text({ enum: spendKinds }).notNull(),
    symbols: symbols().notNull(),
    state: text({ enum: ['active', 'settled', 'released'] })
      .notNull()
      .default('active'),
    /** The instance that does the work; null for work that another instance continues. */
    instance: text(),
    /** The API key that asked for the work. */
    apiKeyId: text(),
    /** No work takes longer: a hold still active then was forgotten. */
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

/** Append-only, enforced by a trigger: why a balance moved, by how much, and the balance afterwards. */
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
    /** The grants it came from or went to: `[{grant, symbols}]`. */
    parts: jsonb().$type<{ grant: string; symbols: number }[]>().notNull(),
    modelId: text(),
    threadId: text(),
    messageId: text(),
    input: bigint({ mode: 'number' }),
    output: bigint({ mode: 'number' }),
    inputRate: doublePrecision(),
    outputRate: doublePrecision(),
    /** Symbols of thought before the answer. */
    thought: bigint({ mode: 'number' }),
    thoughtRate: doublePrecision(),
    /** The part of the input that the provider had cached, where it has a rate of its own. */
    cached: bigint({ mode: 'number' }),
    cachedRate: doublePrecision(),
    /** Money that moved with it, in minor units. */
    amount: bigint({ mode: 'number' }),
    currency: text(),
    note: text(),
    /** The API key that asked for it; without a reference, as the entry stays what it was. */
    apiKeyId: text(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.id),
    index('ledger_of_api_key').on(t.apiKeyId, t.id).where(sql`${t.apiKeyId} is not null`),
    // The admin table and its CSV file are ordered by time over all users.
    index().on(t.createdAt, t.id),
    // Almost all entries are answers: they need no index here, and rare kinds get a partial one.
    index('ledger_rare_kinds').on(t.kind, t.createdAt, t.id).where(sql`${t.kind} <> 'answer'`),
    check('ledger_never_below_zero', sql`${t.balanceAfter} >= 0`),
    check('ledger_moves', sql`${t.symbols} <> 0`),
  ],
)

export const disputeStates = ['open', 'returned', 'refused'] as const

/** A user does not agree with a charge. One per ledger entry. */
export const disputes = pgTable(
  'disputes',
  {
    id: text().primaryKey(),
    entryId: bigint({ mode: 'number' })
      .notNull()
      .unique()
      .references(() => ledger.id, { onDelete: 'cascade' }),
    userId: deletedWith(() => users.id),
    status: text({ enum: disputeStates }).notNull().default('open'),
    reason: text().notNull(),
    answer: text(),
    decidedBy: text().references(() => users.id, { onDelete: 'set null' }),
    decidedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.status, t.createdAt),
    check('dispute_status', sql`${t.status} in ('open', 'returned', 'refused')`),
    check('dispute_decided', sql`(${t.status} = 'open') = (${t.decidedAt} is null)`),
  ],
)
