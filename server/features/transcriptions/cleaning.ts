import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteChunks } from './chunks.ts'
import { wholeColumns } from './rows.ts'

const ABANDONED_DAYS = 7

/** Uploads that nobody went on with. */
export async function forgetAbandoned(db: Db, storage: Storage): Promise<void> {
  const old = lt(transcriptions.updatedAt, sql`now() - make_interval(days => ${ABANDONED_DAYS})`)
  const gone = await db
    .delete(transcriptions)
    .where(and(eq(transcriptions.state, 'uploading'), old))
    .returning(wholeColumns)
  for (const row of gone) await deleteChunks(storage, row)
}
