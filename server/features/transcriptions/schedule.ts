import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { forgetAbandoned } from './cleaning.ts'
import type { Transcriptions } from './open.ts'

export async function scheduleTranscriptions(
  jobs: Jobs,
  { db, storage }: Pick<Transcriptions, 'storage'> & { db: Db },
): Promise<void> {
  await jobs.every('clean-recordings', '11 4 * * *', () => forgetAbandoned(db, storage), { limitSeconds: 4 * 3600 })
}
