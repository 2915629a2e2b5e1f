import { and, desc, type SQL, sql } from 'drizzle-orm'
import type { LedgerEntry, LedgerFilter } from '#contract/transactions-admin.ts'
import { ledger } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type CsvColumns, csvResponse } from '#server/lib/csv.ts'
import { dayOf } from './days.ts'
import { ledgerWhere } from './ledger-filter.ts'
import { type LedgerRow, withOwners } from './ledger-table.ts'
import { transactionColumns } from './transactions-csv.ts'

const columns: CsvColumns<LedgerEntry> = {
  ...transactionColumns,
  Почта: (row) => row.email,
  Ключ: (row) => row.key,
}

export function ledgerCsv(ctx: Ctx, filter: LedgerFilter): Promise<Response> {
  return csvResponse(`operations-${dayOf(new Date())}`, columns, readPages(ctx, filter))
}

const PAGE = 1000

/** Each page begins where the last one ended, so a long file costs no more for a page than a short one. */
async function* readPages({ db }: Ctx, filter: LedgerFilter): AsyncGenerator<LedgerEntry[], void> {
  const where = await ledgerWhere(db, filter)
  let last: LedgerRow | undefined
  do {
    const rows: LedgerRow[] = await db
      .select()
      .from(ledger)
      .where(and(where, last && after(last)))
      .orderBy(desc(ledger.createdAt), desc(ledger.id))
      .limit(PAGE)
    yield await withOwners(db, rows)
    last = rows.length === PAGE ? rows.at(-1) : undefined
  } while (last)
}

function after({ createdAt, id }: LedgerRow): SQL {
  return sql`(${ledger.createdAt}, ${ledger.id}) < (${createdAt.toISOString()}::timestamptz, ${id}::bigint)`
}
