import type { SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from './client.ts'

/** Both drivers return `{ rows }`, which Drizzle's common type leaves open. */
const Result = z.object({ rows: z.array(z.unknown()) })

/** Runs raw SQL and parses each row, so that callers need no casts. Use `z.coerce.number()` for counts and sums. */
export async function rowsOf<Row>(db: Pick<Db, 'execute'>, query: SQL, row: z.ZodMiniType<Row>): Promise<Row[]> {
  const { rows } = Result.parse(await db.execute(query))
  return rows.map((value) => row.parse(value))
}
