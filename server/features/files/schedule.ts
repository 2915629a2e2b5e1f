import { sweepIncoming } from '#server/files/receive.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { forgetUnused } from './cleaning.ts'
import type { FileReadingDeps } from './reading.ts'

export async function scheduleFiles(
  jobs: Jobs,
  deps: Pick<FileReadingDeps, 'db' | 'storage' | 'incoming'>,
): Promise<void> {
  await sweepIncoming(deps.incoming)
  const clean = async () => {
    await forgetUnused(deps.db, deps.storage)
    await sweepIncoming(deps.incoming)
  }
  await jobs.every('clean-files', '41 4 * * *', clean, { limitSeconds: 4 * 3600 })
}
