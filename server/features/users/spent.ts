import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { ledger, spendKinds } from '#server/db/schema.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const isSpend = inArray(ledger.kind, [...spendKinds])
const sum = sql<number>`coalesce(-sum(${ledger.symbols}), 0)`.mapWith(Number)

/** Symbols spent in the last 30 days, by user. */
export async function monthSpent(db: Db, ids: string[], now = new Date()): Promise<Map<string, number>> {
  const since = new Date(now.getTime() - 30 * DAY_MS)
  const first = ids.length > 0 ? await firstEntrySince(db, new Date(since.getTime() - HOUR_MS)) : null
  if (first === null) return new Map()
  const rows = await db
    .select({ userId: ledger.userId, symbols: sum })
    .from(ledger)
    .where(and(inArray(ledger.userId, ids), gte(ledger.id, first), gte(ledger.createdAt, since), isSpend))
    .groupBy(ledger.userId)
  return new Map(rows.map(({ userId, symbols }) => [userId, symbols]))
}

/** Ids grow with time, so a month is a range of the index on user and id. */
async function firstEntrySince(db: Db, since: Date): Promise<number | null> {
  const [entry] = await db
    .select({ id: ledger.id })
    .from(ledger)
    .where(gte(ledger.createdAt, since))
    .orderBy(ledger.createdAt)
    .limit(1)
  return entry?.id ?? null
}

export async function totalSpent(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ symbols: sum })
    .from(ledger)
    .where(and(eq(ledger.userId, userId), isSpend))
  return row?.symbols ?? 0
}
