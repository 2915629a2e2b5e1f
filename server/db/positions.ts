import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { AppError } from '#server/lib/errors.ts'
import type { Db } from './client.ts'

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
    const place = sql`array_position(${sql.param(ids)}::text[], ${table.id}) - 1`
    await tx.execute(sql`update ${table} set position = ${place} where ${table.id} = any(${sql.param(ids)}::text[])`)
  })
}
