import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { markFilled } from './notes.ts'

/** Adds to the sums what has changed since. Of several callers one does it, the others go on with what is there. */
export async function foldFigures(db: Db): Promise<void> {
  await db.execute(sql`select stat_fold()`)
}

/** All sums anew, from the rows that are there now. */
export async function rebuildFigures(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select stat_rebuild()`)
    await markFilled(tx)
  })
}
