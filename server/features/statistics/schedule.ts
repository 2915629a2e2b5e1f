import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { checkBooks, isFilled } from './notes.ts'
import { foldFigures, rebuildFigures } from './rollups.ts'

/** An installation older than its statistics begins with what it has. */
export async function scheduleStatistics(jobs: Jobs, db: Db): Promise<void> {
  if (!(await isFilled(db))) await rebuildFigures(db)
  await jobs.every('fold-statistics', '*/5 * * * *', () => foldFigures(db))
  await jobs.every('check-books', '13 4 * * *', async () => void (await checkBooks(db)))
}
