import { and, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files, messageFiles } from '#server/db/schema.ts'
import { sweepIncoming } from '#server/files/receive.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteBytes } from './files.ts'
import type { FileReadingDeps } from './reading.ts'

const UNSENT_MS = 2 * 86_400_000

export async function scheduleFiles(
  jobs: Jobs,
  deps: Pick<FileReadingDeps, 'db' | 'storage' | 'incoming'>,
): Promise<void> {
  await sweepIncoming(deps.incoming)
  const clean = async () => {
    await deleteUnusedFiles(deps.db, deps.storage)
    await sweepIncoming(deps.incoming)
  }
  await jobs.every('clean-files', '41 4 * * *', clean, { limitSeconds: 4 * 3600 })
}

/** Deletes chat files that no message uses: never sent, or their messages were deleted. */
export async function deleteUnusedFiles(db: Db, storage: Storage, now = Date.now()): Promise<void> {
  const used = db.select({ one: sql`1` }).from(messageFiles).where(sql`${messageFiles.fileId} = ${files.id}`)
  const deleted = await db
    .delete(files)
    .where(and(isNull(files.assistantId), lt(files.createdAt, new Date(now - UNSENT_MS)), notExists(used)))
    .returning({ key: files.storageKey })
  for (const { key } of deleted) await deleteBytes(storage, key)
}
