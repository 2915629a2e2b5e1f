import { asc, count, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { AppError } from '#server/lib/errors.ts'
import type { Db } from './client.ts'

/** Counts matching rows up to a limit, so that a long table is not read completely. */
export async function countUpTo(db: Db, table: PgTable, where: SQL | undefined, most: number) {
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(most + 1)
    .as('found')
  const [counted] = await db.select({ rows: count() }).from(found)
  const rows = counted?.rows ?? 0
  return { total: Math.min(rows, most), isMore: rows > most }
}

/** ORDER BY of a sort parameter: a column name, with a minus for descending. Ties are ordered by the unique column. */
export function orderByClause(sort: string, sortable: Record<string, SQL | PgColumn>, unique: PgColumn): SQL[] {
  const name = sort.replace(/^-/, '')
  const column = Object.hasOwn(sortable, name) ? sortable[name] : undefined
  if (!column) throw new AppError('bad_request', `Поле sort: по «${name}» не сортируется`, { field: 'sort' })
  const direction = sort.startsWith('-') ? desc : asc
  return [direction(column), direction(unique)]
}
