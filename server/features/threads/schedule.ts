import type { Db } from '#server/db/client.ts'
import { longRunning } from '#server/db/long-running.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { purgeTrash } from './purge.ts'

export async function scheduleThreads(jobs: Jobs, db: Db): Promise<void> {
  await jobs.every('purge-trash', '41 3 * * *', async () => void (await purgeTrash(longRunning(db))), {
    limitSeconds: 3600,
  })
}
