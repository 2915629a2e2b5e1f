import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Message, Thread } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages, threads } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { searchVector } from '../search/text-query.ts'
import { markDeletedSummary, markStale } from '../summaries/stored.ts'
import type { CheckStorageLimit } from './limits.ts'
import { messageColumns, newestLeaf, noSuchMessage, stillWriting, toMessages } from './message-rows.ts'
import { findThread, noSuchThread, openThread, ownThread, publishThread } from './to-thread.ts'

const ownMessage = ({ user }: Ctx, threadId: string, id: string) =>
  and(eq(messages.id, id), eq(messages.threadId, threadId), eq(messages.userId, user.id))

export async function editMessage(
  ctx: Ctx,
  checkStorageLimit: CheckStorageLimit,
  threadId: string,
  messageId: string,
  content: string,
): Promise<Message> {
  return ctx.db.transaction(async (tx) => {
    // Locks the thread before the message, as answers do: another order could deadlock.
    await changeThread(ctx, tx, threadId, {})
    const own = ownMessage(ctx, threadId, messageId)
    const [before] = await tx
      .select({ role: messages.role, status: messages.status })
      .from(messages)
      .where(own)
      .for('update')
    if (!before) throw noSuchMessage()
    if (before.status === 'streaming') throw stillWriting()
    if (before.role === 'user' && content.trim() === '') {
      throw new AppError('bad_request', 'Сообщение не может быть пустым', { field: 'content' })
    }
    await checkStorageLimit(tx, ctx.user.id, Buffer.byteLength(content))
    const edited = await tx
      .update(messages)
      .set({ content, search: searchVector(content) })
      .where(own)
      .returning(messageColumns)
    await markStale(tx, ctx.user.id, threadId, messageId)
    const [message] = await toMessages(tx, edited)
    if (!message) throw noSuchMessage()
    return message
  })
}

interface Deleted {
  deleted: string[]
  Thread: Thread
}

/** Deletes a message with everything below it. */
export async function deleteMessage(ctx: Ctx, threadId: string, messageId: string): Promise<Deleted> {
  return ctx.db.transaction(async (tx) => {
    // The lock on the thread keeps new messages from being added below this one.
    const [thread] = await tx.select().from(threads).where(openThread(ctx.user.id, threadId)).for('update')
    if (!thread) throw noSuchThread()
    const [message] = await tx
      .select({ parentId: messages.parentId })
      .from(messages)
      .where(ownMessage(ctx, threadId, messageId))
    if (!message) throw noSuchMessage()
    await markDeletedSummary(tx, { userId: ctx.user.id, threadId, messageId, parentId: message.parentId })
    const deleted = await deleteDownFrom(tx, messageId)
    if (deleted.length === 0) throw stillWriting()
    const isGone = (leafId: string | null) => leafId !== null && deleted.includes(leafId)
    const Thread = await changeThread(ctx, tx, threadId, {
      ...(isGone(thread.currentLeafId) && { currentLeafId: await nextLeaf(ctx, tx, threadId, message.parentId) }),
      ...(isGone(thread.sharedLeafId) && { sharedLeafId: message.parentId }),
    })
    return { deleted, Thread }
  })
}

/** Deletes nothing when an answer below is still being written. */
async function deleteDownFrom(db: Db, messageId: string): Promise<string[]> {
  const gone = await db
    .delete(messages)
    .where(
      sql`${messages.id} = any(array(
        with recursive down as (
          select id, status from messages where id = ${messageId}
          union all
          select child.id, child.status
          from down cross join lateral (select id, status from messages where parent_id = down.id offset 0) child
        )
        select id from down where not exists (select 1 from down where status = 'streaming')
      ))`,
    )
    .returning({ id: messages.id })
  return gone.map(({ id }) => id)
}

/** The leaf to show after a delete: of the newest remaining sibling, else the parent. */
async function nextLeaf({ user }: Ctx, db: Db, threadId: string, parentId: string | null): Promise<string | null> {
  const sameParent = parentId === null ? isNull(messages.parentId) : eq(messages.parentId, parentId)
  const [version] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.threadId, threadId), sameParent))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
  return version ? newestLeaf(db, user.id, version.id) : parentId
}

async function changeThread(
  { user, publish }: Ctx,
  db: Db,
  id: string,
  change: Pick<typeof threads.$inferInsert, 'currentLeafId' | 'sharedLeafId'>,
): Promise<Thread> {
  const [changed] = await db
    .update(threads)
    .set({ ...change, version: sql`${threads.version} + 1` })
    .where(openThread(user.id, id))
    .returning({ version: threads.version })
  if (!changed) throw noSuchThread()
  publishThread(publish, { userId: user.id, id, version: changed.version })
  return findThread(db, ownThread(user.id, id))
}
