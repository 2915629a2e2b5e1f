import { and, desc, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import {
  type LedgerCard,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerQuery,
  type LedgerTotals,
  type ledgerSorts,
  MAX_COUNTED_ROWS,
} from '#contract/transactions-admin.ts'
import { countUpTo, orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, grants, ledger, messages, threads } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse } from '#server/lib/csv.ts'
import { notFound } from '#server/lib/errors.ts'
import { dayOf, startOfDay } from '../billing/days.ts'
import { emailsOf, isOfMatchingUsers } from '../users/find-users.ts'
import { returnedBy, toTransaction, transactionColumns, withParts } from './transactions.ts'

type LedgerRow = typeof ledger.$inferSelect

const sortable = {
  createdAt: ledger.createdAt,
  symbols: ledger.symbols,
} satisfies Record<(typeof ledgerSorts)[number], unknown>

export async function listLedger({ db }: Ctx, { page, size, sort = '-createdAt', ...filter }: LedgerQuery) {
  const where = await ledgerWhere(db, filter)
  const rows = db
    .select()
    .from(ledger)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, ledger.id))
    .limit(size)
    .offset((page - 1) * size)
  // In parallel, because each query may read a large part of the ledger.
  const [items, counted] = await Promise.all([
    rows.then((found) => withOwners(db, found)),
    countUpTo(db, ledger, where, MAX_COUNTED_ROWS),
  ])
  return { items, ...counted }
}

/** Adds emails and disputes. Queried for the page only: a join over the whole ledger would be slow. */
async function withOwners(db: Db, rows: LedgerRow[]): Promise<LedgerEntry[]> {
  if (rows.length === 0) return []
  const emails = await emailsOf(
    db,
    rows.map(({ userId }) => userId),
  )
  const entryIds = rows.map(({ id }) => id)
  const disputed = await db
    .select({ dispute: disputes, returned: returnedBy })
    .from(disputes)
    .where(inArray(disputes.entryId, entryIds))
  const found = new Map(disputed.map((one) => [one.dispute.entryId, one]))
  return rows.map((entry) => ({
    ...toTransaction({ entry, ...(found.get(entry.id) ?? { dispute: null, returned: null }) }),
    key: entry.key,
    email: emails.get(entry.userId) ?? '',
  }))
}

export async function ledgerCard({ db }: Ctx, id: string): Promise<LedgerCard> {
  const entryId = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const [row] = await db.select().from(ledger).where(eq(ledger.id, entryId))
  const [entry] = row ? await withParts(db, await withOwners(db, [row])) : []
  if (!row || !entry) throw notFound('Такой операции нет')
  const ids = row.parts.map((part) => part.grant)
  const found = ids.length > 0 ? await db.select().from(grants).where(inArray(grants.id, ids)) : []
  const byId = new Map(found.map((grant) => [grant.id, grant]))
  const parts = row.parts.map(({ grant, symbols }) => {
    const { kind = null, note = null, orderId = null } = byId.get(grant) ?? {}
    return { kind, symbols, note, orderId }
  })
  return { ...entry, parts }
}

export async function ledgerTotals({ db }: Ctx, filter: LedgerFilter): Promise<LedgerTotals> {
  const sumOf = (what: SQL, when: SQL) => sql<string>`coalesce(sum(${what}) filter (where ${when}), 0)`
  const { symbols, amount, currency } = ledger
  const rows = await db
    .select({
      currency,
      entries: sql<string>`count(*)`,
      came: sumOf(sql`${symbols}`, sql`${symbols} > 0`),
      went: sumOf(sql`-${symbols}`, sql`${symbols} < 0`),
      paid: sumOf(sql`${amount}`, sql`${amount} > 0`),
      returned: sumOf(sql`-${amount}`, sql`${amount} < 0`),
    })
    .from(ledger)
    .where(await ledgerWhere(db, filter))
    .groupBy(currency)
    .orderBy(currency)
  const total = (of: (row: (typeof rows)[number]) => string) => rows.reduce((sum, row) => sum + Number(of(row)), 0)
  return {
    entries: total((row) => row.entries),
    came: total((row) => row.came),
    went: total((row) => row.went),
    money: rows.flatMap((row) =>
      row.currency ? [{ currency: row.currency, came: Number(row.paid), went: Number(row.returned) }] : [],
    ),
  }
}

async function ledgerWhere(db: Db, filter: LedgerFilter): Promise<SQL | undefined> {
  const { query, kind, direction, userId, modelId, keyId, from, to, symbolsFrom, symbolsTo } = filter
  const size = sql`abs(${ledger.symbols})`
  return and(
    query?.trim() ? await matchesQuery(db, query.trim()) : undefined,
    kind && eq(ledger.kind, kind),
    direction && (direction === 'in' ? gt(ledger.symbols, 0) : lt(ledger.symbols, 0)),
    userId ? eq(ledger.userId, userId) : undefined,
    modelId ? eq(ledger.modelId, modelId) : undefined,
    keyId ? eq(ledger.apiKeyId, keyId) : undefined,
    from ? gte(ledger.createdAt, startOfDay(from)) : undefined,
    to ? lt(ledger.createdAt, startOfDay(to, 1)) : undefined,
    symbolsFrom === undefined ? undefined : sql`${size} >= ${symbolsFrom}`,
    symbolsTo === undefined ? undefined : sql`${size} <= ${symbolsTo}`,
  )
}

/** By user, by the entry's id or key, by message or by chat. */
async function matchesQuery(db: Db, text: string): Promise<SQL | undefined> {
  const ofUsers = await isOfMatchingUsers(db, ledger.userId, text)
  const source = await isOfMessageOrThread(db, text)
  const isKey = eq(ledger.key, text)
  const isNumber = /^\d{1,15}$/.test(text) ? eq(ledger.id, Number(text)) : undefined
  return or(ofUsers ?? undefined, source ?? undefined, isKey, isNumber)
}

/** There is no index by message or chat, so the rows are narrowed by the owner first. */
async function isOfMessageOrThread(db: Db, text: string): Promise<SQL | null> {
  const [owner] = await db
    .select({ userId: messages.userId })
    .from(messages)
    .where(eq(messages.id, text))
    .unionAll(db.select({ userId: threads.userId }).from(threads).where(eq(threads.id, text)))
    .limit(1)
  if (!owner) return null
  const isNamed = or(eq(ledger.messageId, text), eq(ledger.threadId, text))
  return and(eq(ledger.userId, owner.userId), isNamed) ?? null
}

const csvColumns: CsvColumns<LedgerEntry> = {
  ...transactionColumns,
  Почта: (row) => row.email,
  Ключ: (row) => row.key,
}

/** Keyset pages: a page of a long file costs no more than the first one. */
export async function ledgerCsv({ db }: Ctx, filter: LedgerFilter): Promise<Response> {
  const where = await ledgerWhere(db, filter)
  return csvResponse<LedgerEntry>(`operations-${dayOf(new Date())}`, csvColumns, async (last) => {
    const rows = db
      .select()
      .from(ledger)
      .where(and(where, last && isAfter(last)))
      .orderBy(desc(ledger.createdAt), desc(ledger.id))
      .limit(CSV_PAGE)
    return withOwners(db, await rows)
  })
}

function isAfter({ createdAt, id }: LedgerEntry): SQL {
  return sql`(${ledger.createdAt}, ${ledger.id}) < (${createdAt}::timestamptz, ${id}::bigint)`
}
