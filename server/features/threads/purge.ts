import { and, asc, inArray, lt, not } from 'drizzle-orm'
import { TRASH_DAYS } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { threads } from '#server/db/schema.ts'
import { answering } from './threads.ts'

const BATCH = 50
const DAY_MS = 86_400_000

/** Deletes for good what has lain in the trash for its days; gives how many threads that were. */
export async function purgeTrash(db: Db, now = new Date()): Promise<number> {
  const due = and(lt(threads.deletedAt, new Date(now.getTime() - TRASH_DAYS * DAY_MS)), not(answering(db)))
  let purged = 0
  for (;;) {
    const next = db.select({ id: threads.id }).from(threads).where(due).orderBy(asc(threads.deletedAt)).limit(BATCH)
    // Asked twice: somebody may take a thread out of the trash between the two.
    const gone = await db
      .delete(threads)
      .where(and(inArray(threads.id, next), due))
      .returning({ id: threads.id })
    purged += gone.length
    if (gone.length < BATCH) return purged
  }
}
