import { and, asc, eq, gt, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import type { files, images, importFiles, transcriptions } from '#server/db/schema.ts'
import { type ChunkedFile, type chunkedFiles, storageKeyIn } from '#server/files/chunked-files.ts'
import type { Storage } from '#server/storage/storage.ts'

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
export function byColumn(
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

/** Several objects per row: the chunks in which its file was uploaded. */
export function byChunks(
  label: string,
  { prefix, keysOf }: ReturnType<typeof chunkedFiles>,
  table: typeof transcriptions | typeof importFiles,
): StoredKind {
  const { storageKey, received, chunkBytes, userId: owner } = table
  return {
    label,
    prefix,
    named: async (db, keys) => {
      const wanted = [...new Set(keys.map(storageKeyIn))]
      const rows = await db.select({ storageKey }).from(table).where(inArray(storageKey, wanted))
      const known = new Set(rows.map((row) => row.storageKey))
      return new Set(keys.filter((key) => known.has(storageKeyIn(key))))
    },
    keys: (db, userId) =>
      batches<ChunkedFile & { id: string }>(
        storageKey,
        (after) =>
          db
            // Only the received chunks of an unfinished upload are in the storage.
            .select({ id: storageKey, storageKey, bytes: received, chunkBytes })
            .from(table)
            .where(and(after, userId === undefined ? undefined : eq(owner, userId)))
            .orderBy(asc(storageKey))
            .limit(BATCH),
        keysOf,
      ),
  }
}

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

export async function* listKeys(storage: Storage, { prefix }: StoredKind): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const { key } of storage.list(prefix)) {
    if (batch.push(key) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
