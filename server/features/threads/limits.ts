import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { imports, messages, threads } from '#server/db/schema.ts'
import { noteRejection } from '#server/http/limits.ts'
import { AppError } from '#server/lib/errors.ts'

const VALID_MS = 600_000
/** After a rejection the messages are measured again only when the last measurement is older than this. */
const RECENT_MS = 30_000
const MAX_USERS = 10_000
const MEGABYTE = 1024 * 1024

/** Throws when `bytes` more do not fit. Called where text is stored that was not paid for: edits and forks. */
export type CheckStorageLimit = (db: Db, userId: string, bytes: number) => Promise<void>

/** Measures all messages of a user at most once in ten minutes and adds up the writes in between. */
export function createStorageLimit(megabytes: number): CheckStorageLimit {
  const known = new Map<string, { bytes: number; at: number }>()

  async function measure(db: Db, userId: string) {
    const measured = { bytes: await storedBytes(db, userId), at: Date.now() }
    if (known.size >= MAX_USERS) known.clear()
    known.set(userId, measured)
    return measured
  }

  return async (db, userId, bytes) => {
    let stored = known.get(userId)
    const isOlder = (ms: number) => !stored || Date.now() - stored.at > ms
    const isFull = () => !stored || stored.bytes + bytes > megabytes * MEGABYTE
    if (isOlder(VALID_MS) || (isFull() && isOlder(RECENT_MS))) stored = await measure(db, userId)
    if (!stored || isFull()) {
      noteRejection('stored-megabytes')
      throw new AppError(
        'conflict',
        `Ваши чаты занимают ${megabytes} МБ, больше не помещается. Удалите навсегда те, что больше не нужны.`,
      )
    }
    stored.bytes += bytes
  }
}

/** Imports have a limit of their own, and what they brought does not take the place of edits and copies. */
const importedBytes = (userId: string) =>
  sql<number>`coalesce((select sum(${imports.textBytes}) from ${imports} where ${imports.userId} = ${userId}), 0)`

/** Stored (compressed) sizes, so the texts themselves are not read. */
const bytesOf = sql<number>`coalesce(sum(
  pg_column_size(${messages.content}) + coalesce(pg_column_size(${messages.search}), 0)), 0)`

async function storedBytes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: bytesOf, imported: importedBytes(userId) })
    .from(messages)
    .innerJoin(threads, eq(threads.id, messages.threadId))
    .where(eq(threads.userId, userId))
  return Math.max(0, Number(row?.bytes ?? 0) - Number(row?.imported ?? 0))
}

export async function bytesOfMessages(db: Db, ids: string[]): Promise<number> {
  const [row] = await db
    .select({ bytes: bytesOf })
    .from(messages)
    .where(sql`${messages.id} = any(${sql.param(ids)}::text[])`)
  return Number(row?.bytes ?? 0)
}

/** Threads in the trash count as well. */
export async function checkThreadLimit(db: Db, userId: string, id: string, most: number): Promise<void> {
  if ((await db.$count(threads, and(eq(threads.userId, userId), ne(threads.id, id)))) < most) return
  noteRejection('stored-threads')
  throw new AppError('conflict', `Чатов может быть не больше ${most}. Удалите навсегда те, что больше не нужны.`)
}
