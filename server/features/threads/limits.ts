import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages, threads } from '#server/db/schema.ts'
import { noteRejection } from '#server/http/limit-rejections.ts'
import { AppError } from '#server/lib/errors.ts'

const MEASURED_FOR_MS = 600_000
/** So soon a refusal is not worth another look at all messages. */
const MEASURED_JUST_NOW_MS = 30_000
const MOST_KNOWN = 10_000
const MEGABYTE = 1024 * 1024

/** Throws unless so many more bytes of messages fit. Asked where text is stored without being paid for. */
export type CheckStorageLimit = (db: Db, userId: string, bytes: number) => Promise<void>

/** Looks at all messages of a person once in ten minutes and adds up in between. */
export function createStorageLimit(megabytes: number): CheckStorageLimit {
  const known = new Map<string, { bytes: number; at: number }>()

  async function measure(db: Db, userId: string) {
    const measured = { bytes: await storedBytes(db, userId), at: Date.now() }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(userId, measured)
    return measured
  }

  return async (db, userId, bytes) => {
    let stored = known.get(userId)
    const isOlder = (ms: number) => !stored || Date.now() - stored.at > ms
    const isFull = () => !stored || stored.bytes + bytes > megabytes * MEGABYTE
    if (isOlder(MEASURED_FOR_MS) || (isFull() && isOlder(MEASURED_JUST_NOW_MS))) stored = await measure(db, userId)
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

/** As they are stored: sizes are read without reading the texts. */
const bytesOf = sql<number>`coalesce(sum(
  pg_column_size(${messages.content}) + coalesce(pg_column_size(${messages.search}), 0)), 0)`

async function storedBytes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: bytesOf })
    .from(messages)
    .innerJoin(threads, eq(threads.id, messages.threadId))
    .where(eq(threads.userId, userId))
  return Number(row?.bytes ?? 0)
}

export async function bytesOfMessages(db: Db, ids: string[]): Promise<number> {
  const [row] = await db
    .select({ bytes: bytesOf })
    .from(messages)
    .where(sql`${messages.id} = any(${sql.param(ids)}::text[])`)
  return Number(row?.bytes ?? 0)
}

/** The trash counts too: it is emptied by time, not by its owner. */
export async function checkThreadLimit(db: Db, userId: string, id: string, most: number): Promise<void> {
  if ((await db.$count(threads, and(eq(threads.userId, userId), ne(threads.id, id)))) < most) return
  noteRejection('stored-threads')
  throw new AppError('conflict', `Чатов может быть не больше ${most}. Удалите навсегда те, что больше не нужны.`)
}
