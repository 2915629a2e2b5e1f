import type { Db } from '#server/db/client.ts'
import { longRunning } from '#server/db/transactions.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { checkAndNoteLedger, isFilled } from './notes.ts'
import { fillFigures, foldFigures } from './rollups.ts'

/** An installation older than its statistics fills them from its rows first. */
export async function scheduleStatistics(jobs: Jobs, db: Db): Promise<void> {
  if (!(await isFilled(db))) await fillFigures(longRunning(db))
  await jobs.every('fold-statistics', '*/5 * * * *', () => foldFigures(longRunning(db)), { limitSeconds: 600 })
  await jobs.every('check-books', '13 4 * * *', async () => void (await checkAndNoteLedger(longRunning(db))), {
    limitSeconds: 4 * 3600,
  })
}
