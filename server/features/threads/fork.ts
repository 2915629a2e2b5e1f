import { sql } from 'drizzle-orm'
import { MAX_TITLE, type Thread } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages, threads } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { noteRejection } from '#server/http/limits.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { cutAtWord } from '#server/lib/whole-words.ts'
import { copySummaries } from '../summaries/stored.ts'
import { bytesOfMessages, type CheckStorageLimit, checkThreadLimit } from './limits.ts'
import { latestLast, noSuchMessage, stillWriting, walkUp } from './message-rows.ts'
import { findThread, noSuchThread, openThread, ownThread, publishThread } from './to-thread.ts'

interface ForkLimits {
  checkStorageLimit: CheckStorageLimit
  mostMessages: number
  mostThreads: number
}

/** Copies the branch up to a message into a new thread. Free of charge: the answers were paid for in the original. */
export async function forkThread(
  { db, user, publish }: Ctx,
  { checkStorageLimit, mostMessages, mostThreads }: ForkLimits,
  threadId: string,
  messageId: string,
): Promise<Thread> {
  return db.transaction(async (tx) => {
    const [origin] = await tx.select().from(threads).where(openThread(user.id, threadId))
    if (!origin) throw noSuchThread()
    const originals = await readBranch(tx, origin, messageId, mostMessages)
    await checkStorageLimit(tx, user.id, await bytesOfMessages(tx, originals))
    const copies = originals.map(() => newId())
    const { titleSource, assistantId, projectId, modelId, userId, temporary } = origin
    const title = temporary ? origin.title : copyTitle(origin.title)
    const id = newId()
    await checkThreadLimit(tx, user.id, id, mostThreads)
    await tx.insert(threads).values({
      ...{ id, userId, title, titleSource, assistantId, projectId, modelId, temporary },
      currentLeafId: copies.at(-1) ?? null,
    })
    await copyMessages(tx, id, originals, copies)
    await copySummaries(tx, id, originals, copies)
    publishThread(publish, { userId, id, version: 0 })
    return findThread(tx, ownThread(userId, id))
  })
}

const COPY = / \(копия(?: (\d+))?\)$/

/** «Ужин (копия)», and of that «Ужин (копия 2)». */
function copyTitle(title: string): string {
  const copy = COPY.exec(title)
  const mark = copy ? ` (копия ${Number(copy[1] ?? 1) + 1})` : ' (копия)'
  return cutAtWord(title.replace(COPY, ''), MAX_TITLE - mark.length) + mark
}

/** The ids of a branch, oldest first. */
async function readBranch(
  db: Db,
  thread: typeof threads.$inferSelect,
  messageId: string,
  most: number,
): Promise<string[]> {
  const columns = { id: messages.id, threadId: messages.threadId, status: messages.status }
  const branch = db.$with('branch', columns).as(walkUp({ userId: thread.userId, leafId: messageId, limit: most + 1 }))
  const rows = await db.with(branch).select().from(branch).orderBy(latestLast)
  if (rows.at(-1)?.threadId !== thread.id) throw noSuchMessage()
  if (rows.length > most) {
    noteRejection('fork-messages')
    throw new AppError(
      'conflict',
      `До этого места больше ${most} сообщений, столько сразу не копируется. Выберите сообщение ближе к началу чата.`,
    )
  }
  if (rows.some(({ status }) => status === 'streaming')) throw stillWriting()
  return rows.map(({ id }) => id)
}

/** Counts and costs are not copied, so that statistics do not count an answer twice. */
async function copyMessages(db: Db, threadId: string, originals: string[], copies: string[]): Promise<void> {
  const pairs = sql`unnest(${sql.param(originals)}::text[], ${sql.param(copies)}::text[]) with ordinality
    as copy (original_id, id, step)`
  await db.execute(sql`
    insert into messages (id, thread_id, user_id, parent_id, role, content, status, model_id,
      error_code, error_message, citations, web, image_id, masked, thought, thought_ms, imported, search, copied, created_at)
    select copy.id, ${threadId}, user_id, lag(copy.id) over (order by copy.step), role, content, status, model_id,
      error_code, error_message, citations, web, image_id, masked, thought, thought_ms, imported, search, true, created_at
    from ${pairs} join messages on messages.id = copy.original_id`)
  await db.execute(sql`
    insert into message_files (message_id, file_id, position)
    select copy.id, file_id, position from ${pairs} join message_files on message_id = copy.original_id`)
  await db.execute(sql`
    insert into web_passages (message_id, n, url, title, site, date, text)
    select copy.id, n, url, title, site, date, text from ${pairs} join web_passages on message_id = copy.original_id`)
}
