import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'
import { forgetPieces, RECORDINGS } from './pieces.ts'
import { wholeColumns } from './rows.ts'

const ABANDONED_DAYS = 7
/** A piece is put before its row knows of it. */
const ROWLESS_MS = 60 * 60_000
const BATCH = 500

/** Uploads that nobody went on with. */
export async function forgetAbandoned(db: Db, storage: Storage): Promise<void> {
  const old = lt(transcriptions.updatedAt, sql`now() - make_interval(days => ${ABANDONED_DAYS})`)
  const gone = await db
    .delete(transcriptions)
    .where(and(eq(transcriptions.state, 'uploading'), old))
    .returning(wholeColumns)
  for (const row of gone) await forgetPieces(storage, row)
}

/** Deletes the pieces whose recording is gone: rows go by cascade when a user goes. */
export async function collectRecordings(db: Db, storage: Storage, now = Date.now()): Promise<void> {
  let batch: string[] = []
  const idOf = (key: string) => key.slice(key.indexOf('-') + 1)
  const collect = async () => {
    const rows = await db
      .select({ id: transcriptions.storageKey })
      .from(transcriptions)
      .where(inArray(transcriptions.storageKey, batch.map(idOf)))
    const named = new Set(rows.map(({ id }) => id))
    for (const key of batch) if (!named.has(idOf(key))) await storage.delete(key)
    batch = []
  }
  for await (const { key, at } of storage.list(RECORDINGS)) {
    if (at.getTime() < now - ROWLESS_MS) batch.push(key)
    if (batch.length === BATCH) await collect()
  }
  if (batch.length > 0) await collect()
}
