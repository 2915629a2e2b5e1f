import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { collectRecordings, forgetAbandoned } from './cleaning.ts'
import type { Transcriptions } from './open.ts'

export async function scheduleTranscriptions(
  jobs: Jobs,
  { db, storage, hearing }: Pick<Transcriptions, 'storage' | 'hearing'> & { db: Db },
): Promise<void> {
  // Whatever waits, or was left by a worker that died, is taken up again.
  await jobs.every('look-for-recordings', '* * * * *', async () => hearing.kick())
  await jobs.every('clean-recordings', '11 4 * * *', async () => {
    await forgetAbandoned(db, storage)
    await collectRecordings(db, storage)
  })
  hearing.kick()
}
