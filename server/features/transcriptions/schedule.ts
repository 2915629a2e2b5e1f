import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteChunks } from './chunks.ts'
import type { Transcriptions } from './open.ts'
import { wholeColumns } from './rows.ts'

const ABANDONED_DAYS = 7

export async function scheduleTranscriptions(
  jobs: Jobs,
  { db, storage }: Pick<Transcriptions, 'storage'> & { db: Db },
): Promise<void> {
  const clean = () => deleteAbandonedUploads(db, storage)
  await jobs.every('clean-recordings', '11 4 * * *', clean, { limitSeconds: 4 * 3600 })
}

export async function deleteAbandonedUploads(db: Db, storage: Storage): Promise<void> {
  const isOld = lt(transcriptions.updatedAt, sql`now() - make_interval(days => ${ABANDONED_DAYS})`)
  const deleted = await db
    .delete(transcriptions)
    .where(and(eq(transcriptions.state, 'uploading'), isOld))
    .returning(wholeColumns)
  for (const row of deleted) await deleteChunks(storage, row)
}
