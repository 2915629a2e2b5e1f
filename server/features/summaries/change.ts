import { and, eq, sql } from 'drizzle-orm'
import type { Summary } from '#contract/summaries.ts'
import type { Db } from '#server/db/client.ts'
import { settings, threadSummaries, threads, users } from '#server/db/schema.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { openThread, publishThread } from '../threads/to-thread.ts'
import { ownSummary, toSummary } from './stored.ts'

const noSuchSummary = () => notFound('В этом чате нет такого сжатия')

/** An edited summary is used again, even if it was stale because a message had changed. */
export async function editSummary(ctx: Ctx, threadId: string, id: string, text: string): Promise<Summary> {
  return ctx.db.transaction(async (tx) => {
    await bumpThread({ ...ctx, db: tx }, threadId)
    const [row] = await tx
      .update(threadSummaries)
      .set({ text, edited: true, stale: false })
      .where(ownSummary({ userId: ctx.user.id, threadId }, id))
      .returning()
    if (!row) throw noSuchSummary()
    return toSummary(row)
  })
}

export async function removeSummary(ctx: Ctx, threadId: string, id: string): Promise<Summary> {
  return ctx.db.transaction(async (tx) => {
    await bumpThread({ ...ctx, db: tx }, threadId)
    const [row] = await tx
      .delete(threadSummaries)
      .where(ownSummary({ userId: ctx.user.id, threadId }, id))
      .returning()
    if (!row) throw noSuchSummary()
    return toSummary(row)
  })
}

/** Notifies the other windows of the change. A thread in the trash is not found. */
export async function bumpThread({ db, user, publish }: Ctx, id: string): Promise<void> {
  const [changed] = await db
    .update(threads)
    .set({ version: sql`${threads.version} + 1` })
    .where(openThread(user.id, id))
    .returning({ version: threads.version })
  if (!changed) throw notFound('У вас нет беседы с таким ID')
  publishThread(publish, { userId: user.id, id, version: changed.version })
}

interface Owner {
  userId: string
  threadId: string
}

/** The context of work without a request; null unless the user's settings allow automatic summaries. */
export async function callerForAuto(db: Db, publish: Publish, { userId }: Owner): Promise<Ctx | null> {
  const [user] = await db
    .select({ id: users.id, email: users.email, name: users.name, image: users.image })
    .from(users)
    .innerJoin(settings, and(eq(settings.userId, users.id), eq(settings.threadSummaries, 'auto')))
    .where(eq(users.id, userId))
  if (!user) return null
  const caller = { ...user, role: 'user' as const }
  return { db, publish, user: caller, session: { id: '', user: caller, impersonatedBy: null }, ip: '' }
}
