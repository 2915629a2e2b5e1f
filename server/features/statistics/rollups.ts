import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { lockTimeout, retryForLocks } from '#server/db/locks.ts'
import { longRunning } from '#server/db/transactions.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { checkNewEntries, isFilled, markFilled } from './notes.ts'

/** Adds new facts to the sums; called often, so that facts stay few. Returns at once if another process does it. */
export async function foldFigures(db: Db): Promise<void> {
  await db.execute(sql`select stat_fold()`)
}

/** Computes all sums again from the current rows. */
export async function rebuildFigures(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select stat_rebuild()`)
    await markFilled(tx)
  })
}

/**
 * The first fill of an installation older than its statistics. Instances that start together do it once, and writers
 * do not wait while it waits for its locks.
 */
async function fillFigures(db: Db): Promise<void> {
  await retryForLocks('статистика', () =>
    db.transaction(async (tx) => {
      await tx.execute(sql.raw(lockTimeout))
      if (await isFilled(tx)) return
      await tx.execute(sql`select stat_rebuild()`)
      await markFilled(tx)
    }),
  )
}

/** An installation older than its statistics fills them from its rows first. */
export async function scheduleStatistics(jobs: Jobs, db: Db): Promise<void> {
  if (!(await isFilled(db))) await fillFigures(longRunning(db))
  await jobs.every('check-ledger', '13 4 * * *', async () => void (await checkNewEntries(longRunning(db))), {
    limitSeconds: 4 * 3600,
  })
}
