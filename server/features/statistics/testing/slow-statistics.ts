import type { Db } from '#server/db/client.ts'
import {
  grants,
  ledger,
  messages,
  orders,
  planVersions,
  promoUses,
  reversals,
  subscriptions,
  users,
} from '#server/db/schema.ts'

/** The judge: the same figures counted row by row, with no sums kept anywhere and no SQL. */

const SPENDS = ['answer', 'translate', 'image', 'transcription', 'balance']
const OVER = ['canceled', 'failed', 'error', 'expired']
const HOURS_AHEAD = 3

/** The day on the wall in Minsk. */
const wallDay = (at: Date) => new Date(at.getTime() + HOURS_AHEAD * 3_600_000).toISOString().slice(0, 10)

export async function readRaw(db: Db) {
  return {
    users: await db.select().from(users),
    messages: (await db.select().from(messages)).filter(({ copied, status }) => !copied && status !== 'streaming'),
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

/** What one span of days says. */
export function countSlowly(raw: Raw, from: string, to: string) {
  const inside = (at: Date | null) => at !== null && wallDay(at) >= from && wallDay(at) <= to
  const said = raw.messages.filter(({ createdAt }) => inside(createdAt))
  const answers = said.filter(({ role }) => role === 'assistant')
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
    messages: said.length - answers.length,
    answers: answers.length,
    failed: answers.filter(({ status }) => status === 'failed').length,
    charged: total(spends.map(({ symbols }) => -symbols)),
    chargedBy: tally(
      spends,
      ({ modelId }) => modelId ?? '',
      ({ symbols }) => -symbols,
    ),
    inputBy: tally(
      answers,
      ({ modelId }) => modelId ?? '',
      ({ input }) => input,
    ),
    outputBy: tally(
      answers,
      ({ modelId }) => modelId ?? '',
      ({ output }) => output,
    ),
    costBy: tally(
      answers,
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

export function active({ messages: said, ledger: entries }: Raw, from: string, to: string): number {
  const inside = (at: Date) => wallDay(at) >= from && wallDay(at) <= to
  const asked = said.filter(({ role, createdAt }) => role === 'user' && inside(createdAt))
  const spent = entries.filter(({ kind, createdAt }) => SPENDS.includes(kind) && inside(createdAt))
  return new Set([...asked, ...spent].map(({ userId }) => userId)).size
}

type SubscriptionRow = Raw['subscriptions'][number]

function endOf({ state, cancelRequestedAt, revokedAt, activeTo }: SubscriptionRow): Date | null {
  return cancelRequestedAt || OVER.includes(state) ? (revokedAt ?? activeTo) : null
}

function isLiveAfter(row: SubscriptionRow, day: string): boolean {
  const end = endOf(row)
  return wallDay(row.createdAt) <= day && (end === null || wallDay(end) > day)
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
