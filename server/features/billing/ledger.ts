import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { FREE_STOPS } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { balances, type grantKinds, type spendKinds } from '#server/db/schema.ts'
import { preparedOnce, statement } from '#server/db/statement.ts'
import { newId } from '#server/lib/ids.ts'
import { dayOf } from './days.ts'

/**
 * The only way to change a balance. Each call is one function of server/db/functions/money.sql: atomic, safe in
 * parallel, idempotent by key, and part of the given transaction. `now` is passed only by tests.
 */

export type GrantKind = (typeof grantKinds)[number]
export type SpendKind = (typeof spendKinds)[number]
/** The last three are about the API key: over its cap of the day or the month, or switched off. */
export const HoldOutcome = z.enum([
  ...(['held', 'short', 'cap', 'busy', 'repeated', 'gone'] as const),
  ...(['key_day', 'key_month', 'key_off'] as const),
])
export type HoldOutcome = z.infer<typeof HoldOutcome>
export type SettleOutcome = 'done' | 'repeated' | 'gone'

export interface GrantParams {
  key: string
  userId: string
  kind: GrantKind
  symbols: number
  expiresAt?: Date | null
  orderId?: string
  amount?: number
  currency?: string
  note?: string
}

export interface ChargeDetails {
  modelId?: string
  threadId?: string
  messageId?: string
  input?: number
  output?: number
  inputRate?: number
  outputRate?: number
  thought?: number
  thoughtRate?: number
  cached?: number
  cachedRate?: number | null
  note?: string
}

export interface HoldParams {
  key: string
  userId: string
  kind: SpendKind
  symbols: number
  /** The process that works under the hold; it is released when the process dies. Null for work others take over. */
  instance?: string | null
  /** When the hold counts as forgotten; a day from now by default. */
  leaseUntil?: Date
  /** At most this many holds of the kind at once. */
  most?: number
  /** The API key that asks for the work: its caps count, and the ledger entry names it. */
  apiKeyId?: string | null
}

/** Each function is a prepared statement: its text is built once, and Postgres parses it once per connection. */
function moneyFunction<Names extends string, T>(name: string, params: Names[], answer: z.ZodMiniType<T>) {
  const run = statement<Names, { answer: T }>(
    name,
    (value) => sql`select ${sql.raw(name)}(${sql.join(params.map(value), sql`, `)}) as answer`,
    z.object({ answer }),
  )
  return async (db: Db, values: Record<Names, unknown>): Promise<T> => {
    const [row] = await run(db, values)
    if (!row) throw new Error(`${name} returned no row`)
    return row.answer
  }
}

/** The time of a call in a test; null means the time of the database. */
const at = (now: Date | undefined) => ({ now: now?.toISOString() ?? null, day: now ? dayOf(now) : null })

const count = z.pipe(z.coerce.number(), z.int())

const moneyGrant = moneyFunction(
  'money_grant',
  ['key', 'id', 'userId', 'kind', 'symbols', 'expiresAt', 'details', 'now'],
  z.enum(['done', 'repeated']),
)

/** `posted` is false when the key was used before. */
export async function grant(db: Db, params: GrantParams, now?: Date): Promise<{ posted: boolean }> {
  const { key, userId, kind, symbols, expiresAt, ...details } = params
  const values = { key, id: newId(), userId, kind, symbols, expiresAt: expiresAt?.toISOString() ?? null, ...at(now) }
  const outcome = await moneyGrant(db, { ...values, details: JSON.stringify(details) })
  return { posted: outcome === 'done' }
}

const moneyProlong = moneyFunction('money_prolong', ['userId', 'subscriptionId', 'until', 'now'], z.int())

/** Lets what is left of the grants of a subscription expire later, never earlier. */
export async function prolongGrants(
  db: Db,
  { userId, subscriptionId, until }: { userId: string; subscriptionId: string; until: Date },
): Promise<void> {
  await moneyProlong(db, { userId, subscriptionId, until: until.toISOString(), now: null })
}

const moneyHold = moneyFunction(
  'money_hold',
  ['key', 'userId', 'kind', 'symbols', 'leaseUntil', 'now', 'day', 'most', 'instance', 'apiKeyId'],
  HoldOutcome,
)

/** Reserves symbols for work that is about to run. */
export function hold(db: Db, params: HoldParams, now?: Date): Promise<HoldOutcome> {
  const { leaseUntil, most = null, instance = null, apiKeyId = null, ...rest } = params
  const values = { ...rest, most, instance, apiKeyId, leaseUntil: leaseUntil?.toISOString() ?? null }
  return moneyHold(db, { ...values, ...at(now) })
}

type OrPlaceholder<Params> = { [Key in keyof Params]: Params[Key] | Placeholder }

/** The same as a part of a larger SQL statement. */
export function holdCall(params: OrPlaceholder<Omit<HoldParams, 'leaseUntil' | 'apiKeyId'>>): SQL {
  const { key, userId, kind, symbols, most, instance } = params
  return sql`money_hold(${key}, ${userId}, ${kind}, ${symbols}, null, null, null, ${most ?? null}::int, ${instance ?? null}, null)`
}

const moneyExtend = moneyFunction('money_extend', ['key', 'symbols', 'leaseUntil', 'now', 'day'], HoldOutcome)

/** Raises an active hold to `symbols` in total. */
export function extend(db: Db, key: string, symbols: number, now?: Date): Promise<HoldOutcome> {
  return moneyExtend(db, { key, symbols, leaseUntil: null, ...at(now) })
}

const moneySettle = moneyFunction(
  'money_settle',
  ['key', 'symbols', 'details', 'now', 'day'],
  z.enum(['done', 'repeated', 'gone']),
)

/** Ends a hold with a charge of at most its symbols; the rest is free again. */
export function settle(
  db: Db,
  key: string,
  symbols: number,
  details: ChargeDetails,
  now?: Date,
): Promise<SettleOutcome> {
  return moneySettle(db, { key, symbols, details: JSON.stringify(details), ...at(now) })
}

/** `charged` is null if the hold had ended before; `freeStop` is the number of the day's free stop, if it was one. */
export interface StopCharge {
  charged: number | null
  freeStop: number | null
}

/** Ends a hold because the user stopped the answer: charged, except for the first stops of a day. */
export async function settleStop(
  db: Db,
  key: string,
  symbols: number,
  details: ChargeDetails,
  now?: Date,
): Promise<StopCharge> {
  const stop = sql`select charged, free_stop
    from money_settle_stop(${key}, ${symbols}, ${json(details)}, ${FREE_STOPS}, ${timestamp(now)}, ${day(now)})`
  const { charged, free_stop } = await oneRowOf(db, stop, StopRow)
  return { charged, freeStop: free_stop }
}

/** How a hold ends: with a charge cut to the hold, with the charge of a stop, or it has ended already. */
export type Settlement =
  | { type: 'charge' | 'stop'; key: string; symbols: number; details: ChargeDetails }
  | { type: 'ended'; charged: number; freeStop: number | null }

export const settlementValues = (settlement: Settlement) =>
  settlement.type === 'ended'
    ? { charged: settlement.charged, freeStop: settlement.freeStop }
    : { key: settlement.key, symbols: settlement.symbols, details: JSON.stringify(settlement.details) }

const placeholders = {
  key: sql.placeholder('key'),
  symbols: sql.placeholder('symbols'),
  details: sql`${sql.placeholder('details')}::jsonb`,
}

/** Settlements as parts of a larger statement: a row with `charged` (null if the hold had ended) and `free_stop`. */
export const settlements: Record<Settlement['type'], SQL> = {
  charge: sql`select money_settle_at_most(${placeholders.key}, ${placeholders.symbols}, ${placeholders.details}) as charged, null::int as free_stop`,
  stop: sql`select charged, free_stop
    from money_settle_stop(${placeholders.key}, ${placeholders.symbols}, ${placeholders.details}, ${FREE_STOPS}, null, null)`,
  ended: sql`select ${sql.placeholder('charged')}::bigint as charged, ${sql.placeholder('freeStop')}::int as free_stop`,
}

const moneySettleAtMost = moneyFunction('money_settle_at_most', ['key', 'symbols', 'details'], z.nullable(count))

/** Ends a hold; returns the charge, cut to the hold, or null if the hold had ended before. */
export function settleAtMost(db: Db, key: string, symbols: number, details: ChargeDetails): Promise<number | null> {
  return moneySettleAtMost(db, { key, symbols, details: JSON.stringify(details) })
}

export function release(db: Db, key: string, now?: Date): Promise<SettleOutcome> {
  return settle(db, key, 0, {}, now)
}

export interface SpendParams extends ChargeDetails {
  key: string
  userId: string
  kind: SpendKind
  symbols: number
}

const moneySpend = moneyFunction('money_spend', ['key', 'userId', 'kind', 'symbols', 'details', 'now', 'day'], count)

/** Spends without a hold, down to zero at most; returns the charge. */
export function spend(db: Db, params: SpendParams, now?: Date): Promise<number> {
  const { key, userId, kind, symbols, ...details } = params
  return moneySpend(db, { key, userId, kind, symbols, details: JSON.stringify(details), ...at(now) })
}

export interface TakeBackParams {
  key: string
  grantId: string
  kind: 'take_back' | 'chargeback'
  amount?: number
  currency?: string
  note?: string
}

const moneyTakeBack = moneyFunction('money_take_back', ['key', 'grantId', 'kind', 'details', 'now'], count)

/** Takes back what is left of a grant; returns how much. */
export function takeBack(db: Db, params: TakeBackParams, now?: Date): Promise<number> {
  const { key, grantId, kind, ...details } = params
  return moneyTakeBack(db, { key, grantId, kind, details: JSON.stringify(details), ...at(now) })
}

export interface WithdrawParams {
  key: string
  userId: string
  symbols: number
  note: string
}

const moneyWithdraw = moneyFunction('money_withdraw', ['key', 'userId', 'symbols', 'note', 'now'], count)

/** Takes symbols from any grants, at most what is not held; returns how much. */
export function withdraw(db: Db, params: WithdrawParams, now?: Date): Promise<number> {
  return moneyWithdraw(db, { ...params, ...at(now) })
}

/** Writes off expired grants; every other ledger function does this first. */
export async function expireGrantsOf(db: Db, userId: string, now?: Date): Promise<void> {
  await db.execute(sql`select from money_lock(${userId}, ${timestamp(now)})`)
}

export interface Balance {
  availableTokens: number
  held: number
  capacity: number
  dailyCap: number | null
  spentToday: number
}

export async function balanceOf(db: Db, userId: string, now?: Date): Promise<Balance> {
  const [row] = now
    ? await db.select(balanceColumns(userId, now)).from(balances).where(eq(balances.userId, userId))
    : await selectBalance(db).execute({ userId })
  return toBalance(row)
}

const selectBalance = preparedOnce((db) => {
  const userId = sql.placeholder('userId')
  return db.select(balanceColumns(userId)).from(balances).where(eq(balances.userId, userId)).prepare('balance')
})

/** As columns of a larger query. */
export const balanceColumns = (userId: string | Placeholder, now?: Date) => ({
  total: balances.total,
  held: balances.held,
  dailyCap: balances.dailyCap,
  spentToday: sql<string>`case when ${balances.spentDay} = ${dayOfBalance(now)} then ${balances.spentToday} else 0 end`,
  expired: sumOfGrants(sql`g.remaining`, userId, sql`g.expires_at <= ${timestampOrNow(now)}`),
  capacity: sumOfGrants(sql`g.symbols`, userId, sql`g.expires_at is null or g.expires_at > ${timestampOrNow(now)}`),
})

interface BalanceRow {
  total: number | null
  held: number | null
  dailyCap: number | null
  spentToday: string
  expired: string
  capacity: string
}

/** All zero for a user without a balance row. */
export function toBalance(row: BalanceRow | undefined): Balance {
  if (!row || row.total === null || row.held === null)
    return { availableTokens: 0, held: 0, capacity: 0, dailyCap: null, spentToday: 0 }
  return {
    // Expired symbols not yet written off do not count, but holds use them first.
    availableTokens: row.total - Math.max(row.held, Number(row.expired)),
    held: row.held,
    capacity: Number(row.capacity),
    dailyCap: row.dailyCap,
    spentToday: Number(row.spentToday),
  }
}

function sumOfGrants(column: SQL, userId: string | Placeholder, condition: SQL): SQL<string> {
  return sql<string>`(select coalesce(sum(${column}), 0) from grants g
    where g.user_id = ${userId} and g.is_left and (${condition}))`
}

/** What the caps of an API key leave to be held; null without a cap. */
export async function leftOfKey(db: Db, apiKeyId: string): Promise<number | null> {
  const held = sql`(select coalesce(sum(h.symbols), 0) from holds h
    where h.user_id = k.user_id and h.state = 'active' and h.api_key_id = k.id)`
  const left = (cap: SQL, spent: SQL, isNow: SQL) => sql`${cap} - case when ${isNow} then ${spent} else 0 end - ${held}`
  const today = sql`money_day(now())`
  const day = left(sql`k.cap_day`, sql`k.spent_today`, sql`k.spent_day = ${today}`)
  const month = left(sql`k.cap_month`, sql`k.spent_month`, sql`money_month(k.spent_day) = money_month(${today})`)
  const query = sql`select least(${day}, ${month}) as left_of_key from api_keys k where k.id = ${apiKeyId}`
  const { left_of_key } = await oneRowOf(db, query, z.object({ left_of_key: z.nullable(count) }))
  return left_of_key === null ? null : Math.max(0, left_of_key)
}

/** Moves no symbols, so it writes no ledger entry. */
export async function setDailyCap(db: Db, userId: string, dailyCap: number | null): Promise<void> {
  const cap = { dailyCap }
  await db
    .insert(balances)
    .values({ userId, ...cap })
    .onConflictDoUpdate({ target: balances.userId, set: cap })
}

const StopRow = z.object({
  charged: z.nullable(z.coerce.number()),
  free_stop: z.nullable(z.coerce.number()),
})

const timestamp = (date: Date | null | undefined) => sql`${date?.toISOString() ?? null}::timestamptz`
const timestampOrNow = (date: Date | undefined) => (date ? timestamp(date) : sql`now()`)
const json = (details: object) => sql`${JSON.stringify(details)}::jsonb`
const day = (now: Date | undefined) => sql`${now ? dayOf(now) : null}::date`
const dayOfBalance = (now: Date | undefined) => (now ? day(now) : sql`money_day(now())`)
