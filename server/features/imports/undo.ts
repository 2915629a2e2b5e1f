import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, not, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files, importItems, imports, messageFiles, messages, threads } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { deleteBytes } from '../files/files.ts'
import { hasRunningAnswer } from '../threads/threads.ts'
import { publishThread } from '../threads/to-thread.ts'
import { change, type ImportDeps } from './deps.ts'
import { deleteArchive, hasOtherMessages, type Row } from './rows.ts'
import { undoDocuments } from './store-documents.ts'
import { undoProjects } from './store-projects.ts'

/** Few at once: others wait that long for the embedded database. */
const BATCH = 50

type Item = Pick<typeof importItems.$inferSelect, 'id' | 'outcome' | 'threadId' | 'formerLeafId'>

/**
 * Removes what the import brought. A chat that has other messages stays, unless its owner wants it removed too; a chat
 * with a running answer stays in any case.
 */
export async function undoImport(deps: ImportDeps, row: Row, signal: AbortSignal): Promise<void> {
  const { db, storage } = deps
  let [after, kept, done] = ['', 0, 0]
  const all = await db.$count(importItems, brought(row.id))
  for (;;) {
    signal.throwIfAborted()
    const items = await db
      .select({
        id: importItems.id,
        outcome: importItems.outcome,
        threadId: importItems.threadId,
        formerLeafId: importItems.formerLeafId,
      })
      .from(importItems)
      .where(and(brought(row.id), gt(importItems.id, after)))
      .orderBy(asc(importItems.id))
      .limit(BATCH)
    const last = items.at(-1)
    if (!last) break
    done += items.length
    const batch = await db.transaction(async (tx) => {
      await change(tx, row, { progress: Math.floor((done / Math.max(1, all)) * 99) })
      return removeBatch(tx, deps.publish, row, items)
    })
    for (const key of batch.keys) await deleteBytes(storage, key)
    kept += batch.kept
    after = last.id
  }
  await undoDocuments(deps, row)
  const keptProjects = await undoProjects(deps, row)
  const { added = 0, grown = 0 } = row.result ?? {}
  const result = row.result && { ...row.result, kept, keptProjects, removed: added + grown - kept }
  await change(db, row, { state: 'undone', instance: null, progress: 100, textBytes: 0, result })
  await deleteArchive(deps, row.id)
}

const brought = (importId: string) =>
  and(
    eq(importItems.importId, importId),
    isNotNull(importItems.threadId),
    inArray(importItems.outcome, ['added', 'grown']),
  )

async function removeBatch(tx: Db, publish: Publish, row: Row, items: Item[]) {
  const added = items.flatMap(({ outcome, threadId }) => (outcome === 'added' && threadId ? [threadId] : []))
  const removable = and(
    ...[inArray(threads.id, added), eq(threads.userId, row.userId), not(hasRunningAnswer(tx))],
    row.undoContinued ? undefined : not(hasOtherMessages(row.id)),
  )
  const doomed =
    added.length === 0 ? [] : (await tx.select({ id: threads.id }).from(threads).where(removable)).map(({ id }) => id)
  const fileIds = await filesIn(tx, doomed)
  if (doomed.length > 0)
    for (const gone of await tx
      .delete(threads)
      .where(inArray(threads.id, doomed))
      .returning({ id: threads.id, version: threads.version }))
      publishThread(publish, { userId: row.userId, ...gone }, 'removed')
  let kept = added.length - doomed.length
  for (const item of items) if (item.outcome === 'grown' && !(await shrink(tx, row, item))) kept += 1
  return { kept, keys: await deleteUnused(tx, row.userId, fileIds) }
}

async function filesIn(tx: Db, threadIds: string[]): Promise<string[]> {
  if (threadIds.length === 0) return []
  const rows = await tx
    .select({ id: messageFiles.fileId })
    .from(messageFiles)
    .innerJoin(messages, eq(messages.id, messageFiles.messageId))
    .where(inArray(messages.threadId, threadIds))
  return rows.map(({ id }) => id)
}

/** Copies of a chat share its files, so those stay that another message has. */
async function deleteUnused(tx: Db, userId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const used = tx.select({ one: sql`1` }).from(messageFiles).where(eq(messageFiles.fileId, files.id))
  const gone = await tx
    .delete(files)
    .where(and(inArray(files.id, ids), eq(files.userId, userId), isNull(files.libraryId), notExists(used)))
    .returning({ key: files.storageKey })
  return gone.map(({ key }) => key)
}

/** Takes the messages out that this import added to a chat of an earlier one; false when something was built on them. */
async function shrink(tx: Db, row: Row, { threadId, formerLeafId }: Item): Promise<boolean> {
  if (!threadId) return true
  const isOurs = and(eq(messages.threadId, threadId), sql`${messages.imported}->>'import' = ${row.id}`)
  const replied = tx
    .select({ one: sql`1` })
    .from(sql`messages reply`)
    .where(sql`reply.parent_id = ${messages.id} and coalesce(reply.imported->>'import', '') <> ${row.id}`)
  const [built] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(isOurs, exists(replied)))
    .limit(1)
  if (built) return false
  const ours = tx.select({ id: messages.id }).from(messages).where(isOurs)
  await tx
    .update(threads)
    .set({ currentLeafId: formerLeafId, version: sql`${threads.version} + 1` })
    .where(and(eq(threads.id, threadId), eq(threads.userId, row.userId), inArray(threads.currentLeafId, ours)))
  await tx.delete(messages).where(isOurs)
  return true
}

/** Undone by mistake is done again by the archive, which its owner still has. */
export const canUndo = ({ state, step }: Row) =>
  state === 'done' || (step === 'store' && (state === 'queued' || state === 'working' || state === 'failed'))

export const undoValues = (continued: boolean) => ({
  ...{ state: 'queued' as const, step: 'undo' as const, progress: 0, instance: null, crashes: 0, error: null },
  undoContinued: continued,
  tries: sql`${imports.tries} + 1`,
  updatedAt: sql`now()`,
})
