import { sql } from 'drizzle-orm'
import type { Statistics, Sum } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import {
  grants,
  ledger,
  modelCalls,
  orders,
  planVersions,
  promoUses,
  reversals,
  subscriptions,
  users,
} from '#server/db/schema.ts'

/** The same figures counted row by row in TypeScript, without stored sums or SQL. */

const SPENDS = ['answer', 'translate', 'summary', 'image', 'transcription', 'minutes', 'indexing', 'balance']
const ENDED = ['canceled', 'failed', 'error', 'expired']
const HOURS_AHEAD = 3

/** The day in UTC+3. */
const localDay = (at: Date) => new Date(at.getTime() + HOURS_AHEAD * 3_600_000).toISOString().slice(0, 10)

export async function readRaw(db: Db) {
  return {
    users: await db.select().from(users),
    hashes: new Map(
      (await db.select({ id: users.id, hash: sql<string>`stat_user_hash(${users.id})` }).from(users)).map(
        ({ id, hash }) => [id, BigInt(hash)],
      ),
    ),
    calls: await db.select().from(modelCalls),
    ledger: await db.select().from(ledger),
    grants: new Map((await db.select().from(grants)).map((grant) => [grant.id, grant])),
    orders: await db.select().from(orders),
    versions: new Map((await db.select().from(planVersions)).map((version) => [version.id, version])),
    reversals: await db.select().from(reversals),
    uses: await db.select().from(promoUses),
    subscriptions: await db.select().from(subscriptions),
  }
}
export type Raw = Awaited<ReturnType<typeof readRaw>>

export function countSlowly(raw: Raw, from: string, to: string) {
  const inside = (at: Date | null) => at !== null && localDay(at) >= from && localDay(at) <= to
  const calls = raw.calls.filter(({ createdAt }) => inside(createdAt))
  const entries = raw.ledger.filter(({ createdAt }) => inside(createdAt))
  const spends = entries.filter(({ kind }) => SPENDS.includes(kind))
  const paid = raw.orders.filter(({ paidAt }) => inside(paidAt))
  const fresh = raw.users.filter(({ createdAt }) => inside(createdAt))
  const unpaid = raw.orders.filter(({ paidAt, createdAt }) => !paidAt && inside(createdAt))
  const subscribed = raw.subscriptions.filter(({ activeTo }) => activeTo !== null)
  return {
    fresh: fresh.length,
    converted: fresh.filter(({ id }) => raw.orders.some(({ userId, paidAt }) => userId === id && paidAt)).length,
    active: active(raw, from, to),
    messages: calls.filter(({ isFirstAnswer }) => isFirstAnswer).length,
    answers: calls.filter(({ status }) => status !== null).length,
    failed: calls.filter(({ status }) => status === 'failed').length,
    charged: total(spends.map(({ symbols }) => -symbols)),
    chargedBy: tally(
      spends,
      ({ modelId }) => modelId ?? '',
      ({ symbols }) => -symbols,
    ),
    inputBy: tally(
      spends,
      ({ modelId }) => modelId ?? '',
      ({ input }) => input ?? 0,
    ),
    outputBy: tally(
      spends,
      ({ modelId }) => modelId ?? '',
      ({ output }) => output ?? 0,
    ),
    costBy: tally(
      calls,
      ({ modelId, costCurrency }) => `${modelId} ${costCurrency}`,
      ({ cost }) => cost ?? 0,
    ),
    earnedBy: earned(raw, spends),
    symbols: tally(
      entries,
      ({ kind }) => kind,
      ({ symbols }) => symbols,
    ),
    revenue: tally(
      paid,
      ({ currency }) => currency,
      ({ amount }) => amount,
    ),
    refunds: tally(
      raw.reversals.filter(({ createdAt }) => inside(createdAt)),
      ({ currency }) => currency,
      ({ amount }) => amount,
    ),
    paid: paid.length,
    renewals: paid.filter(({ kind }) => kind === 'renewal').length,
    declined: unpaid.filter(({ status }) => status === 'failed').length,
    abandoned: unpaid.filter(({ status }) => status === 'expired').length,
    promoUses: raw.uses.filter(({ createdAt }) => inside(createdAt)).length,
    promoOrders: paid.filter(({ promoId }) => promoId).length,
    promoDiscount: tally(
      paid.filter(({ promoId }) => promoId),
      ({ currency }) => currency,
      ({ planVersionId, amount }) => (raw.versions.get(planVersionId ?? '')?.price ?? amount) - amount,
    ),
    canceled: subscribed.filter(({ cancelRequestedAt }) => inside(cancelRequestedAt)).length,
    started: subscribed.filter(({ createdAt }) => inside(createdAt)).length,
    ended: subscribed.filter((row) => inside(endOf(row))).length,
    live: subscribed.filter((row) => isLiveAfter(row, to)).length,
    mrr: tally(
      subscribed.filter((row) => isLiveAfter(row, to)),
      ({ planVersionId }) => raw.versions.get(planVersionId)?.currency ?? '',
      ({ planVersionId }) => monthly(raw, planVersionId),
    ),
  }
}

export function active({ calls, ledger: entries, hashes }: Raw, from: string, to: string): number {
  const inside = (at: Date) => localDay(at) >= from && localDay(at) <= to
  const answered = calls.filter(({ isFirstAnswer, createdAt }) => isFirstAnswer && inside(createdAt))
  const spent = entries.filter(({ kind, createdAt }) => SPENDS.includes(kind) && inside(createdAt))
  return new Set([...answered.map(({ userHash }) => userHash), ...spent.map(({ userId }) => hashes.get(userId))]).size
}

/** What a user did in these days, and what it cost by currency. */
export function usageOf({ calls, ledger: entries, hashes }: Raw, userId: string, from: string, to: string) {
  const inside = (at: Date) => localDay(at) >= from && localDay(at) <= to
  const own = calls.filter(({ userHash, createdAt }) => userHash === hashes.get(userId) && inside(createdAt))
  const spent = entries.filter((row) => row.userId === userId && SPENDS.includes(row.kind) && inside(row.createdAt))
  return {
    messages: own.filter(({ isFirstAnswer }) => isFirstAnswer).length,
    charged: spent.reduce((sum, { symbols }) => sum - symbols, 0),
    cost: tally(
      own.filter(({ cost }) => cost),
      ({ costCurrency }) => costCurrency ?? '',
      ({ cost }) => cost ?? 0,
    ),
  }
}

type SubscriptionRow = Raw['subscriptions'][number]

function endOf({ state, cancelRequestedAt, revokedAt, activeTo }: SubscriptionRow): Date | null {
  return cancelRequestedAt || ENDED.includes(state) ? (revokedAt ?? activeTo) : null
}

function isLiveAfter(row: SubscriptionRow, day: string): boolean {
  const end = endOf(row)
  return localDay(row.createdAt) <= day && (end === null || localDay(end) > day)
}

function monthly(raw: Raw, versionId: string): number {
  const version = raw.versions.get(versionId)
  return version ? (version.price * 30) / version.intervalDays : 0
}

function earned(raw: Raw, spends: Raw['ledger']): Record<string, number> {
  const parts = spends.flatMap(({ modelId, parts }) => parts.map((part) => ({ modelId, ...part })))
  const priced = parts.flatMap(({ modelId, grant, symbols }) => {
    const order = raw.orders.find(({ id }) => id === raw.grants.get(grant)?.orderId)
    return order ? [{ key: `${modelId ?? ''} ${order.currency}`, sum: (-symbols * order.amount) / order.symbols }] : []
  })
  return tally(
    priced,
    ({ key }) => key,
    ({ sum }) => sum,
  )
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

export function tally<T>(rows: T[], keyOf: (row: T) => string, amountOf: (row: T) => number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + amountOf(row)
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, sum]) => sum !== 0)
      .map(([key, sum]) => [key, Number(sum.toFixed(6))]),
  )
}

/** The response of the statistics call in the form of `countSlowly`. */
export function comparable({ people, work, money, subscriptions, promo, models, symbols }: Statistics) {
  const byCurrency = (sums: { currency: string; now: number }[]) =>
    tally(
      sums,
      ({ currency }) => currency,
      ({ now }) => now,
    )
  const byModel = (of: (model: Statistics['models'][number]) => number) => tally(models, ({ id }) => id, of)
  const moneyOf = (of: (model: Statistics['models'][number]) => Sum[]) =>
    tally(
      models.flatMap((model) => of(model).map(({ currency, amount }) => ({ key: `${model.id} ${currency}`, amount }))),
      ({ key }) => key,
      ({ amount }) => amount,
    )
  return {
    fresh: people.fresh.now,
    converted: people.converted.now,
    active: people.active.now,
    messages: work.messages.now,
    answers: work.answers.now,
    failed: work.failed.now,
    charged: work.charged.now,
    chargedBy: byModel(({ charged }) => charged),
    inputBy: byModel(({ input }) => input),
    outputBy: byModel(({ output }) => output),
    costBy: moneyOf(({ cost }) => cost),
    earnedBy: moneyOf(({ earned }) => earned),
    symbols: tally(
      symbols,
      ({ kind }) => kind,
      ({ now }) => now,
    ),
    revenue: byCurrency(money.revenue),
    refunds: byCurrency(money.refunds),
    paid: money.paid.now,
    renewals: subscriptions.renewals.now,
    declined: money.declined.now,
    abandoned: money.abandoned.now,
    promoUses: promo.uses.now,
    promoOrders: promo.orders.now,
    promoDiscount: byCurrency(promo.discount),
    canceled: subscriptions.canceled.now,
    started: subscriptions.started.now,
    ended: subscriptions.ended.now,
    live: subscriptions.live.now,
    mrr: byCurrency(subscriptions.mrr),
  }
}
