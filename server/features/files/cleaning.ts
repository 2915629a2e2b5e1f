import { and, inArray, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files, messageFiles } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'
import { forgetBytes } from './files.ts'
import { UPLOADS } from './rows.ts'

const UNSENT_MS = 2 * 86_400_000
/** Bytes are put before their row, so the youngest may still be waiting for one. */
const ROWLESS_MS = 60 * 60_000
const BATCH = 500

/** Forgets the chat files that no message uses: never sent, or their messages are gone. */
export async function forgetUnused(db: Db, storage: Storage, now = Date.now()): Promise<void> {
  const used = db.select({ one: sql`1` }).from(messageFiles).where(sql`${messageFiles.fileId} = ${files.id}`)
  const gone = await db
    .delete(files)
    .where(and(isNull(files.assistantId), lt(files.createdAt, new Date(now - UNSENT_MS)), notExists(used)))
    .returning({ key: files.storageKey })
  for (const { key } of gone) await forgetBytes(storage, key)
}

/** Deletes the bytes of uploads that no row names. */
export async function collectOrphans(db: Db, storage: Storage, now?: number): Promise<void> {
  const named = (keys: string[]) =>
    db.select({ key: files.storageKey }).from(files).where(inArray(files.storageKey, keys))
  await collectRowless(storage, UPLOADS, named, now)
}

/**
 * Deletes the bytes under a prefix that no row names. Rows go by cascade when a user goes, and a process may die
 * between bytes and row; the storage itself is the only list that knows of both.
 */
export async function collectRowless(
  storage: Storage,
  prefix: string,
  named: (keys: string[]) => PromiseLike<{ key: string | null }[]>,
  now = Date.now(),
): Promise<void> {
  let batch: string[] = []
  const collect = async () => {
    const known = new Set((await named(batch)).map(({ key }) => key))
    for (const key of batch.filter((each) => !known.has(each))) await storage.delete(key)
    batch = []
  }
  for await (const { key, at } of storage.list(prefix)) {
    if (at.getTime() < now - ROWLESS_MS) batch.push(key)
    if (batch.length === BATCH) await collect()
  }
  if (batch.length > 0) await collect()
}
