import { and, eq, gt, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { LedgerFilter } from '#contract/transactions-admin.ts'
import type { Db } from '#server/db/client.ts'
import { ledger, messages, threads } from '#server/db/schema.ts'
import { startOfDay } from './days.ts'
import { isOfPeople } from './people-found.ts'

/** The rows of the ledger that the owner asks for. */
export async function ledgerWhere(db: Db, filter: LedgerFilter): Promise<SQL | undefined> {
  const { query, kind, direction, userId, modelId, from, to, symbolsFrom, symbolsTo } = filter
  const size = sql`abs(${ledger.symbols})`
  return and(
    query?.trim() ? await isMeant(db, query.trim()) : undefined,
    kind && eq(ledger.kind, kind),
    direction && (direction === 'in' ? gt(ledger.symbols, 0) : lt(ledger.symbols, 0)),
    userId ? eq(ledger.userId, userId) : undefined,
    modelId ? eq(ledger.modelId, modelId) : undefined,
    from ? gte(ledger.createdAt, startOfDay(from)) : undefined,
    to ? lt(ledger.createdAt, startOfDay(to, 1)) : undefined,
    symbolsFrom === undefined ? undefined : sql`${size} >= ${symbolsFrom}`,
    symbolsTo === undefined ? undefined : sql`${size} <= ${symbolsTo}`,
  )
}

/** A text may mean people, an entry by its number or key, a message or a chat. */
async function isMeant(db: Db, text: string): Promise<SQL | undefined> {
  const people = await isOfPeople(db, ledger.userId, text)
  const place = await isOfPlace(db, text)
  const isKey = eq(ledger.key, text)
  const isNumber = /^\d{1,15}$/.test(text) ? eq(ledger.id, Number(text)) : undefined
  return or(people ?? undefined, place ?? undefined, isKey, isNumber)
}

/** There is no index by message or chat: their owner is known, and his rows are found by him. */
async function isOfPlace(db: Db, text: string): Promise<SQL | null> {
  const [place] = await db
    .select({ userId: messages.userId })
    .from(messages)
    .where(eq(messages.id, text))
    .unionAll(db.select({ userId: threads.userId }).from(threads).where(eq(threads.id, text)))
    .limit(1)
  if (!place) return null
  const isThere = or(eq(ledger.messageId, text), eq(ledger.threadId, text))
  return and(eq(ledger.userId, place.userId), isThere) ?? null
}
