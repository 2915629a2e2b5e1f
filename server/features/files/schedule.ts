import { sweepIncoming } from '#server/files/receive.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { collectOrphans, forgetUnused } from './cleaning.ts'
import { type ReadingWorld, readLost } from './reading.ts'

/** `isAlone`: no other process can share the database. */
export async function scheduleFiles(jobs: Jobs, world: ReadingWorld, isAlone: boolean): Promise<void> {
  const aloneSince = isAlone ? new Date() : null
  await sweepIncoming(world.incoming)
  await jobs.every('read-lost-files', '* * * * *', () => readLost(world, aloneSince))
  await jobs.every('clean-files', '41 4 * * *', async () => {
    await forgetUnused(world.db, world.storage)
    await collectOrphans(world.db, world.storage)
    await sweepIncoming(world.incoming)
  })
  // A crash may be why this process starts: what it left is read without waiting for the minute.
  await jobs.soon('read-lost-files')
}
