import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { lockTimeout, retryForLocks } from '#server/db/locks.ts'
import { isFilled, markFilled } from './notes.ts'

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

/** The same at the start of an installation older than its statistics: instances that start together do it once, and writers do not wait for it to begin. */
export async function fillFigures(db: Db): Promise<void> {
  await retryForLocks('статистика', () =>
    db.transaction(async (tx) => {
      await tx.execute(sql.raw(lockTimeout))
      if (await isFilled(tx)) return
      await tx.execute(sql`select stat_rebuild()`)
      await markFilled(tx)
    }),
  )
}
