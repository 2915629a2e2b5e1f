import type { Jobs } from '#server/jobs/jobs.ts'
import { cleanStorage } from './cleaning.ts'

export async function scheduleStorage(jobs: Jobs, deps: Parameters<typeof cleanStorage>[0]): Promise<void> {
  await jobs.every('clean-storage', '53 4 * * *', async () => void (await cleanStorage(deps)), {
    limitSeconds: 4 * 3600,
  })
}
