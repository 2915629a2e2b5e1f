import { sweepIncoming } from '#server/files/receive.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { forgetUnused } from './cleaning.ts'
import type { ReadingWorld } from './reading.ts'

export async function scheduleFiles(
  jobs: Jobs,
  world: Pick<ReadingWorld, 'db' | 'storage' | 'incoming'>,
): Promise<void> {
  await sweepIncoming(world.incoming)
  const clean = async () => {
    await forgetUnused(world.db, world.storage)
    await sweepIncoming(world.incoming)
  }
  await jobs.every('clean-files', '41 4 * * *', clean, { limitSeconds: 4 * 3600 })
}
