import { and, asc, eq, gt, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { files, images, transcriptions } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'
import { UPLOADS } from '../files/files.ts'
import { ORIGINALS, THUMBNAILS } from '../images/rows.ts'
import { chunkKeys, RECORDINGS, storageKeyIn } from '../transcriptions/chunks.ts'

/** A kind of stored objects, and the rows that name them. */
export interface StoredKind {
  /** For reports to the owner. */
  label: string
  prefix: string
  /** The subset of the keys that rows name. */
  named: (db: Db, keys: string[]) => Promise<Set<string>>
  /** The keys that rows name, all or those of one user, in batches. */
  keys: (db: Db, userId?: string) => AsyncGenerator<string[]>
}

const BATCH = 1000

/** One object per row; the column has its key. */
function byColumn(
  label: string,
  prefix: string,
  table: typeof files | typeof images,
  column: AnyPgColumn<{ data: string }>,
): StoredKind {
  return {
    label,
    prefix,
    named: async (db, keys) => {
      const rows = await db.select({ key: column }).from(table).where(inArray(column, keys))
      return new Set(rows.map(({ key }) => String(key)))
    },
    keys: (db, userId) =>
      batches(
        table.id,
        (after) =>
          db
            .select({ id: table.id, key: column })
            .from(table)
            .where(and(after, isNotNull(column), userId === undefined ? undefined : eq(table.userId, userId)))
            .orderBy(asc(table.id))
            .limit(BATCH),
        ({ key }) => [String(key)],
      ),
  }
}

const chunkColumns = {
  id: transcriptions.id,
  storageKey: transcriptions.storageKey,
  // Only the received chunks of an unfinished upload are in the storage.
  bytes: transcriptions.received,
  chunkBytes: transcriptions.chunkBytes,
}

const recordings: StoredKind = {
  label: 'записи',
  prefix: RECORDINGS,
  named: async (db, keys) => {
    const rows = await db
      .select({ key: transcriptions.storageKey })
      .from(transcriptions)
      .where(inArray(transcriptions.storageKey, [...new Set(keys.map(storageKeyIn))]))
    const known = new Set(rows.map(({ key }) => key))
    return new Set(keys.filter((key) => known.has(storageKeyIn(key))))
  },
  keys: (db, userId) =>
    batches(
      transcriptions.id,
      (after) =>
        db
          .select(chunkColumns)
          .from(transcriptions)
          .where(and(after, userId === undefined ? undefined : eq(transcriptions.userId, userId)))
          .orderBy(asc(transcriptions.id))
          .limit(BATCH),
      (row) => chunkKeys(row),
    ),
}

export const storedKinds: StoredKind[] = [
  byColumn('файлы', UPLOADS, files, files.storageKey),
  byColumn('картинки', ORIGINALS, images, images.storageKey),
  byColumn('уменьшенные картинки', THUMBNAILS, images, images.thumbKey),
  recordings,
]

async function* batches<Row extends { id: string }>(
  id: AnyPgColumn<{ data: string }>,
  read: (after: SQL | undefined) => PromiseLike<Row[]>,
  keysOf: (row: Row) => string[],
): AsyncGenerator<string[]> {
  for (let last: string | undefined; ; ) {
    const rows = await read(last === undefined ? undefined : gt(id, last))
    if (rows.length > 0) yield rows.flatMap(keysOf)
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id
  }
}

/** The keys of a kind that are in the storage, in batches. */
export async function* listKeys(storage: Storage, { prefix }: StoredKind): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const { key } of storage.list(prefix)) {
    if (batch.push(key) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
