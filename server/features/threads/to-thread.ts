import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Thread } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { models, threads } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'

const threadColumns = {
  id: threads.id,
  userId: threads.userId,
  title: threads.title,
  assistantId: threads.assistantId,
  projectId: threads.projectId,
  movedFrom: sql<string | null>`(select gone.name from models gone where gone.id = ${threads.movedFrom})`,
  currentLeafId: threads.currentLeafId,
  version: threads.version,
  pinned: threads.pinned,
  archived: threads.archived,
  temporary: threads.temporary,
  deletedAt: threads.deletedAt,
  shareId: threads.shareId,
  createdAt: threads.createdAt,
  updatedAt: threads.updatedAt,
}
const modelColumns = { id: models.id, name: models.name }

export const selectThreads = (db: Db) =>
  db
    .select({ thread: threadColumns, model: modelColumns })
    .from(threads)
    .leftJoin(models, eq(models.id, threads.modelId))

type Selected = Awaited<ReturnType<typeof selectThreads>>[number]

export function toThread({ thread: { userId, ...thread }, model }: Selected): Thread {
  return {
    ...thread,
    User: { id: userId },
    Model: model,
    deletedAt: thread.deletedAt?.toISOString() ?? null,
    createdAt: thread.createdAt.toISOString(),
    updatedAt: thread.updatedAt.toISOString(),
  }
}

/** Including threads in the trash. */
export const ownThread = (userId: string, id: string) => and(eq(threads.id, id), eq(threads.userId, userId))
/** Without threads in the trash. */
export const openThread = (userId: string, id: string) => and(ownThread(userId, id), isNull(threads.deletedAt))

export const noSuchThread = () => notFound('У вас нет беседы с таким ID')

export async function findThread(db: Db, where: SQL | undefined): Promise<Thread> {
  const [found] = await selectThreads(db).where(where)
  if (!found) throw noSuchThread()
  return toThread(found)
}

interface ThreadVersion {
  userId: string
  id: string
  version: number
}

/** Publishes the change to all pages of the owner, after the commit. */
export function publishThread(
  publish: Publish,
  { userId, id, version }: ThreadVersion,
  type: 'changed' | 'removed' = 'changed',
) {
  afterCommit(() => {
    publish(userId, { topic: 'threads', type, data: { id } })
    publish(userId, { topic: `thread:${id}`, type: 'changed', data: { version } })
  })
}
