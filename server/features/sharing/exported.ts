import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Message } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { summariesOnBranch, toSummary } from '../summaries/stored.ts'
import { messageColumns, toMessages, walkUp } from '../threads/message-rows.ts'
import { findThread, openThread } from '../threads/to-thread.ts'
import type { ExportedThread } from './lines.ts'

/** Size of one read, so that a thread of any length needs little memory. */
const PAGE_BYTES = 1_000_000
const PAGE_MESSAGES = 500
/** Of a longer branch only the end is exported. */
const MAX_EXPORTED = 20_000

export async function readExportedThread({ db, user }: Ctx, id: string, withThoughts = false): Promise<ExportedThread> {
  const thread = await findThread(db, openThread(user.id, id))
  const branch = thread.currentLeafId === null ? [] : await measureBranch(db, user.id, thread.currentLeafId)
  const names = new Map((await db.select({ id: models.id, name: models.name }).from(models)).map((m) => [m.id, m.name]))
  return {
    owner: user.name,
    thread,
    bytes: branch.reduce((sum, { bytes }) => sum + bytes, 0),
    messages: withThoughts ? readPages(db, user.id, branch) : withoutThoughts(readPages(db, user.id, branch)),
    summaries: (await summariesOnBranch(db, { userId: user.id, threadId: id, leafId: thread.currentLeafId }))
      .filter(({ row }) => row.text !== '')
      .map(({ row }) => toSummary(row)),
    speakerOf: ({ role, modelId }) => (role === 'user' ? 'Вы' : (names.get(modelId ?? '') ?? 'Ответ')),
  }
}

interface MessageSize {
  id: string
  bytes: number
}

/** Ids and sizes of the branch, oldest first. */
async function measureBranch(db: Db, userId: string, leafId: string): Promise<MessageSize[]> {
  const branch = walkUp({ userId, leafId, limit: MAX_EXPORTED })
  return db
    .select({ id: sql<string>`id`, bytes: sql<number>`octet_length(content)` })
    .from(sql`(${branch}) branch`)
    .orderBy(sql`step desc`)
}

async function* readPages(db: Db, userId: string, branch: MessageSize[]): AsyncGenerator<Message> {
  for (const page of pagesOf(branch)) {
    const rows = await db
      .select(messageColumns)
      .from(messages)
      .where(and(inArray(messages.id, page), eq(messages.userId, userId)))
    const byId = new Map(rows.map((row) => [row.id, row]))
    yield* await toMessages(
      db,
      page.flatMap((id) => byId.get(id) ?? []),
    )
  }
}

async function* withoutThoughts(found: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const { thought: _, ...message } of found) yield message
}

export function pagesOf(branch: MessageSize[]): string[][] {
  const pages: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const message of branch) {
    const last = pages.at(-1)
    bytes += message.bytes
    if (last && bytes <= PAGE_BYTES && last.length < PAGE_MESSAGES) last.push(message.id)
    else {
      pages.push([message.id])
      bytes = message.bytes
    }
  }
  return pages
}
