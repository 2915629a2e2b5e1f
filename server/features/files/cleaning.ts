import { and, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files, messageFiles } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'
import { forgetBytes } from './files.ts'

const UNSENT_MS = 2 * 86_400_000

/** Forgets the chat files that no message uses: never sent, or their messages are gone. */
export async function forgetUnused(db: Db, storage: Storage, now = Date.now()): Promise<void> {
  const used = db.select({ one: sql`1` }).from(messageFiles).where(sql`${messageFiles.fileId} = ${files.id}`)
  const gone = await db
    .delete(files)
    .where(and(isNull(files.assistantId), lt(files.createdAt, new Date(now - UNSENT_MS)), notExists(used)))
    .returning({ key: files.storageKey })
  for (const { key } of gone) await forgetBytes(storage, key)
}
