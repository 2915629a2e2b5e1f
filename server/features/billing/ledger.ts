import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { FREE_STOPS } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { balances, type grantKinds, type spendKinds } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { dayOf } from './days.ts'

/**
 * The one door to a balance. Each act is one call of a function in server/db/functions/money.sql: atomic, safe with
 * parallel callers, harmless to repeat with the same key, and part of the transaction it is given.
 * Time is the database's; only tests name a moment.
 */

export type GrantKind = (typeof grantKinds)[number]
export type SpendKind = (typeof spendKinds)[number]
export const Held = z.enum(['held', 'short', 'cap', 'busy', 'repeated', 'gone'])
export type Held = z.infer<typeof Held>
export type Settled = 'done' | 'repeated' | 'gone'

export interface GrantOrder {
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

/** What a charge was for, kept with its entry so that it can be explained later. */
export interface ChargeDetails {
  modelId?: string
  threadId?: string
  messageId?: string
  input?: number
  output?: number
  inputRate?: number
  outputRate?: number
  note?: string
}

export interface HoldOrder {
  key: string
  userId: string
  kind: SpendKind
  symbols: number
  /** The process that works under it: when that is dead, the hold is ended. Null for work that others take over. */
  instance?: string | null
  /** When it counts as forgotten; a day from now unless a test says otherwise. */
  leaseUntil?: Date
  /** No more than this many of the kind at once. */
  most?: number
}

/** Adds symbols for one reason. Says whether this call was the one that did it. */
export async function grant(db: Db, order: GrantOrder, now?: Date): Promise<{ posted: boolean }> {
  const { key, userId, kind, symbols, expiresAt = null, ...details } = order
  const call = sql`money_grant(${key}, ${newId()}, ${userId}, ${kind}, ${symbols}, ${moment(expiresAt)}, ${json(details)}, ${moment(now)})`
  const outcome = await ask(db, call, z.enum(['done', 'repeated']))
  return { posted: outcome === 'done' }
}

/** Promises symbols to something that is about to run. */
export function hold(db: Db, order: HoldOrder, now?: Date): Promise<Held> {
  return ask(db, holdCall(order, now), Held)
}

/** The same as a part of a larger statement, which then stands or falls with it. */
export function holdCall(order: HoldOrder, now?: Date): SQL {
  const { key, userId, kind, symbols, leaseUntil, most, instance } = order
  return sql`money_hold(${key}, ${userId}, ${kind}, ${symbols}, ${moment(leaseUntil)}, ${moment(now)}, ${day(now)}, ${most ?? null}::int, ${instance ?? null})`
}

/** Raises a running hold to `symbols` in all. */
export function extend(db: Db, key: string, symbols: number, now?: Date): Promise<Held> {
  const call = sql`money_extend(${key}, ${symbols}, null, ${moment(now)}, ${day(now)})`
  return ask(db, call, Held)
}

/** Ends a hold with a charge of at most what is held; the rest is free again. */
export function settle(db: Db, key: string, symbols: number, details: ChargeDetails, now?: Date): Promise<Settled> {
  const call = sql`money_settle(${key}, ${symbols}, ${json(details)}, ${moment(now)}, ${day(now)})`
  return ask(db, call, z.enum(['done', 'repeated', 'gone']))
}

/** The same as a part of a larger statement: the charge is cut to what is held, and null if the hold had ended before. */
export function settleCall(key: string, symbols: number, details: ChargeDetails): SQL {
  return sql`money_settle_at_most(${key}, ${symbols}, ${json(details)})`
}

/** What ended a hold: the charge, null if it had ended before, and which of the day's free stops it was. */
export interface StopCharge {
  charged: number | null
  freeStop: number | null
}

/** Ends a hold because its owner stopped what the provider was asked for: paid, but for the first stops of a day. */
export async function settleStop(
  db: Db,
  key: string,
  symbols: number,
  details: ChargeDetails,
  now?: Date,
): Promise<StopCharge> {
  const { rows } = (await db.execute(stopCall(key, symbols, details, now))) as unknown as { rows: unknown[] }
  const { charged, free_stop } = StopRow.parse(rows[0])
  return { charged, freeStop: free_stop }
}

/** The same as a part of a larger statement: a row of `charged` and `free_stop`. */
export function stopCall(key: string, symbols: number, details: ChargeDetails, now?: Date): SQL {
  return sql`select charged, free_stop
    from money_settle_stop(${key}, ${symbols}, ${json(details)}, ${FREE_STOPS}, ${moment(now)}, ${day(now)})`
}

/** A plain settlement as such a row. */
export const chargeRow = (charged: SQL): SQL => sql`select ${charged} as charged, null::int as free_stop`

/** Ends a hold with a charge that is cut to what is held; what it was, or null if it had ended before. */
export function settleAtMost(db: Db, key: string, symbols: number, details: ChargeDetails): Promise<number | null> {
  return ask(db, settleCall(key, symbols, details), z.nullable(count))
}

/** Ends a hold that nothing came of. */
export function release(db: Db, key: string, now?: Date): Promise<Settled> {
  return settle(db, key, 0, {}, now)
}

export interface SpendOrder extends ChargeDetails {
  key: string
  userId: string
  kind: SpendKind
  symbols: number
}

/** Spends at once, down to zero at most; says how much it was. */
export function spend(db: Db, order: SpendOrder, now?: Date): Promise<number> {
  const { key, userId, kind, symbols, ...details } = order
  const call = sql`money_spend(${key}, ${userId}, ${kind}, ${symbols}, ${json(details)}, ${moment(now)}, ${day(now)})`
  return ask(db, call, count)
}

export interface TakeBackOrder {
  key: string
  grantId: string
  kind: 'take_back' | 'chargeback'
  amount?: number
  currency?: string
  note?: string
}

/** Takes back what is left of a grant; says how much that was. */
export function takeBack(db: Db, order: TakeBackOrder, now?: Date): Promise<number> {
  const { key, grantId, kind, ...details } = order
  return ask(db, sql`money_take_back(${key}, ${grantId}, ${kind}, ${json(details)}, ${moment(now)})`, count)
}

export interface WithdrawOrder {
  key: string
  userId: string
  symbols: number
  note: string
}

/** Takes symbols back whichever grant they are in, at most what is free; says how much that was. */
export function withdraw(db: Db, { key, userId, symbols, note }: WithdrawOrder, now?: Date): Promise<number> {
  return ask(db, sql`money_withdraw(${key}, ${userId}, ${symbols}, ${note}, ${moment(now)})`, count)
}

/** Lets go what has run out; every other act does it on its way. */
export async function expireGrantsOf(db: Db, userId: string, now?: Date): Promise<void> {
  await db.execute(sql`select from money_lock(${userId}, ${moment(now)})`)
}

/** What the books say of one user now. */
export interface Balance {
  availableTokens: number
  held: number
  capacity: number
  dailyCap: number | null
  spentToday: number
}

export async function balanceOf(db: Db, userId: string, now?: Date): Promise<Balance> {
  const [row] = await db.select(balanceColumns(userId, now)).from(balances).where(eq(balances.userId, userId))
  return toBalance(row)
}

/** The same as a part of a larger query. */
export const balanceColumns = (userId: string, now?: Date) => ({
  total: balances.total,
  held: balances.held,
  dailyCap: balances.dailyCap,
  spentToday: sql<string>`case when ${balances.spentDay} = ${dayOfBalance(now)} then ${balances.spentToday} else 0 end`,
  expired: sumOfGrants(sql`g.remaining`, userId, sql`g.expires_at <= ${momentOrNow(now)}`),
  capacity: sumOfGrants(sql`g.symbols`, userId, sql`g.expires_at is null or g.expires_at > ${momentOrNow(now)}`),
})

interface BalanceRow {
  total: number | null
  held: number | null
  dailyCap: number | null
  spentToday: string
  expired: string
  capacity: string
}

/** Nothing where there is no balance yet. */
export function toBalance(row: BalanceRow | undefined): Balance {
  if (!row || row.total === null || row.held === null)
    return { availableTokens: 0, held: 0, capacity: 0, dailyCap: null, spentToday: 0 }
  return {
    // What has run out but is not let go yet does not count; holds lean on it first.
    availableTokens: row.total - Math.max(row.held, Number(row.expired)),
    held: row.held,
    capacity: Number(row.capacity),
    dailyCap: row.dailyCap,
    spentToday: Number(row.spentToday),
  }
}

function sumOfGrants(what: SQL, userId: string, which: SQL): SQL<string> {
  return sql<string>`(select coalesce(sum(${what}), 0) from grants g
    where g.user_id = ${userId} and g.remaining > 0 and (${which}))`
}

/** The user's own limit for a day. Not a movement, so it leaves no entry. */
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

const count = z.pipe(z.coerce.number(), z.int())

async function ask<T>(db: Db, call: SQL, answer: z.ZodMiniType<T>): Promise<T> {
  const { rows } = (await db.execute(sql`select ${call} as answer`)) as unknown as { rows: { answer: unknown }[] }
  return answer.parse(rows[0]?.answer)
}

const moment = (date: Date | null | undefined) => sql`${date?.toISOString() ?? null}::timestamptz`
const momentOrNow = (date: Date | undefined) => (date ? moment(date) : sql`now()`)
const json = (details: object) => sql`${JSON.stringify(details)}::jsonb`
const day = (now: Date | undefined) => sql`${now ? dayOf(now) : null}::date`
const dayOfBalance = (now: Date | undefined) => (now ? day(now) : sql`money_day(now())`)
