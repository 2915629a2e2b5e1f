import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { purgeTrash } from './purge.ts'

export async function scheduleThreads(jobs: Jobs, db: Db): Promise<void> {
  await jobs.every('purge-trash', '41 3 * * *', async () => void (await purgeTrash(db)), { limitSeconds: 3600 })
}
