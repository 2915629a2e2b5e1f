import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { collectRecordings, forgetAbandoned } from './cleaning.ts'
import type { Transcriptions } from './open.ts'

export async function scheduleTranscriptions(
  jobs: Jobs,
  { db, storage }: Pick<Transcriptions, 'storage'> & { db: Db },
): Promise<void> {
  const clean = async () => {
    await forgetAbandoned(db, storage)
    await collectRecordings(db, storage)
  }
  await jobs.every('clean-recordings', '11 4 * * *', clean, { limitSeconds: 4 * 3600 })
}
