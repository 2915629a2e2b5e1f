import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { SharedThread, Thread } from '#contract/threads.ts'
import { threads } from '#server/db/schema.ts'
import type { AnyoneCtx, Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { branchUp } from '../threads/branch.ts'
import { tellThread } from '../threads/news.ts'
import { findThread, openThread } from '../threads/thread-shape.ts'

/** More than anybody reads by a link. */
const MAX_SHOWN = 2000

/** Lets strangers read the branch as it is now. Sharing again moves on to what is there by then, under the same address. */
export function shareThread(ctx: Ctx, id: string): Promise<Thread> {
  return ctx.db.transaction(async (tx) => {
    const own = openThread(ctx.user.id, id)
    const [shared] = await tx
      .update(threads)
      .set({
        shareId: sql`coalesce(${threads.shareId}, ${newShareId()})`,
        sharedLeafId: sql`${threads.currentLeafId}`,
        sharedAt: new Date(),
        version: sql`${threads.version} + 1`,
      })
      .where(and(own, isNotNull(threads.currentLeafId)))
      .returning({ version: threads.version })
    const thread = await findThread(tx, own)
    if (!shared) throw new AppError('conflict', 'В беседе пока нет сообщений: делиться нечем.')
    tellThread(ctx.publish, { userId: ctx.user.id, id, ...shared })
    return thread
  })
}

/** The old address is forgotten for good. */
export function unshareThread(ctx: Ctx, id: string): Promise<Thread> {
  return ctx.db.transaction(async (tx) => {
    const own = openThread(ctx.user.id, id)
    const [closed] = await tx
      .update(threads)
      .set({ shareId: null, sharedLeafId: null, sharedAt: null, version: sql`${threads.version} + 1` })
      .where(and(own, isNotNull(threads.shareId)))
      .returning({ version: threads.version })
    if (closed) tellThread(ctx.publish, { userId: ctx.user.id, id, ...closed })
    return findThread(tx, own)
  })
}

/** What anybody with the address may read: the branch up to where it was shared, and nothing of its owner. */
export async function readShared({ db }: AnyoneCtx, shareId: string): Promise<SharedThread> {
  const [thread] = await db
    .select({ title: threads.title, userId: threads.userId, leafId: threads.sharedLeafId, sharedAt: threads.sharedAt })
    .from(threads)
    .where(and(eq(threads.shareId, shareId), isNull(threads.deletedAt)))
  if (!thread?.leafId || !thread.sharedAt) throw noSuchLink()
  const rows = await branchUp(db, thread.userId, thread.leafId, MAX_SHOWN)
  // Its owner has deleted the last message that was shared; what came after was never meant to be seen.
  if (rows.length === 0) throw noSuchLink()
  return {
    title: thread.title,
    sharedAt: thread.sharedAt.toISOString(),
    Messages: rows.map(({ id, role, content, createdAt }) => ({
      id,
      role,
      content,
      createdAt: createdAt.toISOString(),
    })),
  }
}

const noSuchLink = () => notFound('Такой беседы нет: ссылка закрыта или неверна.')

/** 144 bits: nobody guesses it. */
const newShareId = () => randomBytes(18).toString('base64url')
