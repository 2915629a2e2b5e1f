import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Db } from './client.ts'

type Executor = Pick<Db, 'execute'>

/**
 * Runs raw SQL and parses each row, so that callers need no casts. Use `z.coerce.number()` for counts and sums. Define
 * the schema outside of functions: making one costs more than parsing hundreds of rows.
 */
export async function rowsOf<Row>(db: Executor, query: SQL, row: z.ZodMiniType<Row>): Promise<Row[]> {
  return rowsIn(await db.execute(query)).map((value) => row.parse(value))
}

export async function oneRowOf<Row>(db: Executor, query: SQL, row: z.ZodMiniType<Row>): Promise<Row> {
  return row.parse(rowsIn(await db.execute(query))[0])
}

/** Both drivers return `{ rows }`, which Drizzle's common type leaves open. */
export function rowsIn(result: unknown): unknown[] {
  if (typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows))
    return result.rows
  throw new Error('The database driver returned no rows')
}
