import { asc, count, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { AppError } from '#server/lib/errors.ts'
import type { Db } from './client.ts'

/** Counts matching rows up to a limit, so that a long table is not read completely. */
export async function countUpTo(db: Db, table: PgTable, where: SQL | undefined, max: number) {
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(max + 1)
    .as('found')
  const [counted] = await db.select({ rows: count() }).from(found)
  const rows = counted?.rows ?? 0
  return { total: Math.min(rows, max), isMore: rows > max }
}

/** ORDER BY of a sort parameter: a column name, with a minus for descending. Ties are ordered by the unique column. */
export function orderByClause(sort: string, sortable: Record<string, SQL | PgColumn>, unique: PgColumn): SQL[] {
  const name = sort.replace(/^-/, '')
  const column = Object.hasOwn(sortable, name) ? sortable[name] : undefined
  if (!column) throw new AppError('bad_request', `По «${name}» список не упорядочить.`, { field: 'sort' })
  const direction = sort.startsWith('-') ? desc : asc
  return [direction(column), direction(unique)]
}

type Positioned = PgTable & { id: PgColumn; position: PgColumn }

/**
 * Puts the rows in the order of `ids` in one statement. All rows must be named; otherwise the list was changed
 * meanwhile.
 */
export async function putInOrder(db: Db, table: Positioned, ids: string[], where?: SQL): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.select({ id: table.id }).from(table).where(where).orderBy(table.id).for('update')
    const named = new Set(ids)
    if (named.size !== ids.length || rows.length !== ids.length || !rows.every(({ id }) => named.has(String(id)))) {
      throw new AppError('conflict', 'Список успел измениться. Обновите страницу и переставьте ещё раз.')
    }
    const position = sql`array_position(${sql.param(ids)}::text[], ${table.id}) - 1`
    await tx.execute(sql`update ${table} set position = ${position} where ${table.id} = any(${sql.param(ids)}::text[])`)
  })
}
