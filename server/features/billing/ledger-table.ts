import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import {
  COUNTED_AT_MOST,
  type LedgerCard,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerQuery,
  type LedgerTotals,
  type ledgerSorts,
} from '#contract/transactions-admin.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, grants, ledger, users } from '#server/db/schema.ts'
import { countUpTo, orderByClause } from '#server/db/table-page.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { ledgerWhere } from './ledger-filter.ts'
import { returnedBy, shownEntry } from './transactions.ts'

/** The ledger of everybody, for the owner: quick however long it has become. */

export type LedgerRow = typeof ledger.$inferSelect

const sortable = {
  createdAt: ledger.createdAt,
  symbols: ledger.symbols,
} satisfies Record<(typeof ledgerSorts)[number], unknown>

export async function listLedger({ db }: Ctx, { page, size, sort = '-createdAt', ...filter }: LedgerQuery) {
  const where = await ledgerWhere(db, filter)
  const rows = await db
    .select()
    .from(ledger)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, ledger.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await withOwners(db, rows), ...(await countUpTo(db, ledger, where, COUNTED_AT_MOST)) }
}

/** Whose each row is and whether it is disputed: asked for the page alone, never joined to the whole. */
export async function withOwners(db: Db, rows: LedgerRow[]): Promise<LedgerEntry[]> {
  if (rows.length === 0) return []
  const people = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...new Set(rows.map(({ userId }) => userId))]))
  const entryIds = rows.map(({ id }) => id)
  const disputed = await db
    .select({ dispute: disputes, returned: returnedBy })
    .from(disputes)
    .where(inArray(disputes.entryId, entryIds))
  const emails = new Map(people.map(({ id, email }) => [id, email]))
  const found = new Map(disputed.map((one) => [one.dispute.entryId, one]))
  return rows.map((entry) => ({
    ...shownEntry({ entry, ...(found.get(entry.id) ?? { dispute: null, returned: null }) }),
    key: entry.key,
    email: emails.get(entry.userId) ?? '',
  }))
}

export async function ledgerCard({ db }: Ctx, id: string): Promise<LedgerCard> {
  const entryId = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const [row] = await db.select().from(ledger).where(eq(ledger.id, entryId))
  const [entry] = row ? await withOwners(db, [row]) : []
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
