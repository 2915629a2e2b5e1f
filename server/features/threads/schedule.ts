import { and, asc, inArray, lt, not } from 'drizzle-orm'
import { TRASH_DAYS } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { threads } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { hasRunningAnswer } from './threads.ts'

export async function scheduleThreads(jobs: Jobs, db: Db): Promise<void> {
  await jobs.every('purge-trash', '41 3 * * *', async () => void (await purgeTrash(longRunning(db))), {
    limitSeconds: 3600,
  })
}

const BATCH = 50
const DAY_MS = 86_400_000

/** Deletes threads that were in the trash for TRASH_DAYS. Returns how many. */
export async function purgeTrash(db: Db, now = new Date()): Promise<number> {
  const due = and(lt(threads.deletedAt, new Date(now.getTime() - TRASH_DAYS * DAY_MS)), not(hasRunningAnswer(db)))
  let purged = 0
  for (;;) {
    const next = db.select({ id: threads.id }).from(threads).where(due).orderBy(asc(threads.deletedAt)).limit(BATCH)
    // `due` is repeated in the delete, because a thread may be restored after the subquery has read it.
    const gone = await db
      .delete(threads)
      .where(and(inArray(threads.id, next), due))
      .returning({ id: threads.id })
    purged += gone.length
    if (gone.length < BATCH) return purged
  }
}
