import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, not, sql } from 'drizzle-orm'
import type { SharedThread, Thread } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages, sharedMessages, threads } from '#server/db/schema.ts'
import type { AnyoneCtx, Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { contentSoFar, walkUp } from '../threads/message-rows.ts'
import { findThread, openThread, publishThread } from '../threads/to-thread.ts'

/** Limits of a shared branch: anyone with the link can make the server read it. */
const MAX_SHOWN = 2000
const MAX_BYTES = 2_000_000

/** Makes the current branch public. Sharing again updates the snapshot and keeps the link. */
export function shareThread(ctx: Ctx, id: string): Promise<Thread> {
  return ctx.db.transaction(async (tx) => {
    const own = openThread(ctx.user.id, id)
    const [shared] = await tx
      .update(threads)
      .set({
        shareId: sql`coalesce(${threads.shareId}, ${newShareId()})`,
        sharedLeafId: sql`${threads.currentLeafId}`,
        sharedAt: new Date(),
        sharedTitle: sql`${threads.title}`,
        version: sql`${threads.version} + 1`,
      })
      .where(and(own, isNotNull(threads.currentLeafId), not(threads.temporary)))
      .returning({ version: threads.version, leafId: threads.sharedLeafId })
    const thread = await findThread(tx, own)
    if (thread.temporary) throw new AppError('conflict', 'Временным чатом не поделиться. Сначала сохраните его.')
    if (!shared?.leafId) throw new AppError('conflict', 'В чате пока нет сообщений: делиться нечем.')
    await saveBranch(tx, { threadId: id, userId: ctx.user.id, leafId: shared.leafId })
    publishThread(ctx.publish, { userId: ctx.user.id, id, version: shared.version })
    return thread
  })
}

interface SharedBranch {
  threadId: string
  userId: string
  leafId: string
}

/** Stores which messages the link shows: the end of the branch within the limits. */
async function saveBranch(db: Db, { threadId, userId, leafId }: SharedBranch): Promise<void> {
  await db.delete(sharedMessages).where(eq(sharedMessages.threadId, threadId))
  await db.execute(sql`
    insert into shared_messages (thread_id, message_id, position)
    select ${threadId}, id, ${MAX_SHOWN} - step from (
      select id, step, sum(octet_length(content)) over (order by step) as bytes
      from (${walkUp({ userId, leafId, limit: MAX_SHOWN })}) branch
    ) measured
    where step = 1 or bytes <= ${MAX_BYTES}
    on conflict (message_id) do nothing`)
}

/** The next share creates a new link; the old one never works again. */
export function unshareThread(ctx: Ctx, id: string): Promise<Thread> {
  return ctx.db.transaction(async (tx) => {
    const own = openThread(ctx.user.id, id)
    const [closed] = await tx
      .update(threads)
      .set({
        shareId: null,
        sharedLeafId: null,
        sharedAt: null,
        sharedTitle: null,
        version: sql`${threads.version} + 1`,
      })
      .where(and(own, isNotNull(threads.shareId)))
      .returning({ version: threads.version })
    if (closed) {
      await tx.delete(sharedMessages).where(eq(sharedMessages.threadId, id))
      publishThread(ctx.publish, { userId: ctx.user.id, id, ...closed })
    }
    return findThread(tx, own)
  })
}

/** Readable by anyone with the link: the branch as it was shared, without data of the owner. */
export async function readShared({ db }: AnyoneCtx, shareId: string): Promise<SharedThread> {
  const [thread] = await db
    .select({
      id: threads.id,
      title: threads.sharedTitle,
      leafId: threads.sharedLeafId,
      sharedAt: threads.sharedAt,
    })
    .from(threads)
    .where(and(eq(threads.shareId, shareId), isNull(threads.deletedAt)))
  if (!thread?.leafId || !thread.sharedAt || thread.title === null) throw noSuchLink()
  const rows = await storedBranch(db, thread.id)
  // The owner may have deleted all shared messages.
  const [first] = rows
  if (!first) throw noSuchLink()
  return {
    title: thread.title,
    sharedAt: thread.sharedAt.toISOString(),
    cut: first.parentId !== null,
    Messages: rows.map(({ parentId: _, createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
  }
}

function storedBranch(db: Db, threadId: string) {
  return db
    .select({
      id: messages.id,
      parentId: messages.parentId,
      role: messages.role,
      content: sql<string>`coalesce(${sharedMessages.content}, ${contentSoFar})`,
      createdAt: messages.createdAt,
    })
    .from(sharedMessages)
    .innerJoin(messages, eq(messages.id, sharedMessages.messageId))
    .where(eq(sharedMessages.threadId, threadId))
    .orderBy(asc(sharedMessages.position))
}

const noSuchLink = () => notFound('Такого чата нет: ссылка закрыта или неверна.')

/** 144 random bits: the link is the only protection of the text. */
const newShareId = () => randomBytes(18).toString('base64url')
