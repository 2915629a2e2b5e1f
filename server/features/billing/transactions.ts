import { and, desc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Transaction, TransactionFilter } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, ledger } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import { startOfDay } from './days.ts'

export async function listTransactions(ctx: Ctx, filter: TransactionFilter): Promise<Page<Transaction[]>> {
  const found = await readEntries(ctx.db, filtered(ctx, filter), filter.limit + 1)
  const items = found.slice(0, filter.limit)
  return new Page(items, found.length > items.length ? (items.at(-1)?.id ?? null) : null)
}

export async function readEntries(db: Db, where: SQL | undefined, limit: number): Promise<Transaction[]> {
  const rows = await db
    .select({ entry: ledger, dispute: disputes, returned: returnedBy })
    .from(ledger)
    .leftJoin(disputes, eq(disputes.entryId, ledger.id))
    .where(where)
    .orderBy(desc(ledger.id))
    .limit(limit)
  return rows.map(shownEntry)
}

interface FoundEntry {
  entry: typeof ledger.$inferSelect
  dispute: typeof disputes.$inferSelect | null
  returned: string | null
}

export function shownEntry({ entry: { key: _, parts: __, ...entry }, dispute, returned }: FoundEntry): Transaction {
  return {
    ...entry,
    id: String(entry.id),
    disputed: dispute !== null,
    dispute: dispute && {
      status: dispute.status,
      reason: dispute.reason,
      answer: dispute.answer,
      returned: returned === null ? null : Number(returned),
      decidedAt: dispute.decidedAt?.toISOString() ?? null,
    },
    createdAt: entry.createdAt.toISOString(),
  }
}

/** The ledger itself says what a decision gave back. */
export const returnKey = (disputeId: string) => `dispute:${disputeId}`
export const returnedBy = sql<string | null>`(
  select back.symbols from ledger back where back.key = ${returnKey('')} || ${disputes.id})`

function filtered(ctx: Ctx, filter: TransactionFilter): SQL | undefined {
  return and(
    ownedBy(ctx, filter),
    filter.kind && eq(ledger.kind, filter.kind),
    filter.direction && (filter.direction === 'in' ? gt(ledger.symbols, 0) : lt(ledger.symbols, 0)),
    filter.from ? gte(ledger.createdAt, startOfDay(filter.from)) : undefined,
    filter.to ? lt(ledger.createdAt, startOfDay(filter.to, 1)) : undefined,
    filter.cursor === undefined ? undefined : lt(ledger.id, readCursor(filter.cursor)),
  )
}

/** One's own, unless an admin asks for somebody's or for everybody's. */
function ownedBy({ user }: Ctx, { userId, all }: TransactionFilter): SQL | undefined {
  const asksForOthers = userId !== undefined || all !== undefined
  if (asksForOthers && user.role !== 'admin') {
    throw new AppError('forbidden', 'Чужие операции видит только администратор.')
  }
  if (userId === undefined && all) return undefined
  return eq(ledger.userId, userId ?? user.id)
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new AppError('bad_request', 'Поле cursor: такой страницы нет', { field: 'cursor' })
}
