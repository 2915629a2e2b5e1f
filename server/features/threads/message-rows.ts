import { and, asc, eq, getTableColumns, inArray, isNull, or, type Placeholder, sql } from 'drizzle-orm'
import type { Attachment } from '#contract/files.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Rating } from '#contract/ratings.ts'
import type { Message, Thought } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { files, messageChunks, messageFiles, messages, ratings, thoughtChunks } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { attachmentColumns, toAttachment } from '../files/files.ts'

const { search: _, ...allButSearch } = getTableColumns(messages)

/** All columns but the search vector, which is large and only used inside the database. */
export const messageColumns = allButSearch
export type MessageRow = Omit<typeof messages.$inferSelect, 'search'>

/** Ids of all versions of a message, itself included. The first messages of a thread are versions of each other. */
export const siblingsColumn = sql<string[]>`case
  when messages.parent_id is null then array(
    select other.id from messages other where other.thread_id = messages.thread_id and other.parent_id is null
    order by other.created_at, other.id)
  else array(
    select other.id from messages other where other.parent_id = messages.parent_id order by other.created_at, other.id)
  end`

/** The stored text, including the chunks of an answer that is still being written. */
export const contentSoFar = sql<string>`${messages.content} || coalesce((
  select string_agg(chunk.text, '' order by chunk.at) from message_chunks chunk where chunk.message_id = ${messages.id}), '')`

export const noSuchMessage = () => notFound('В этом чате нет такого сообщения')
export const stillWriting = () => new AppError('conflict', 'Ответ ещё пишется. Дождитесь конца или остановите его.')

/**
 * The last `limit` messages of the branch that ends in `leafId`, oldest first.
 * Each step is one index lookup, so the length of the thread does not matter.
 */
export async function branchUp(db: Db, userId: string, leafId: string, limit: number): Promise<MessageRow[]> {
  return selectBranch(db, { userId, leafId, limit })
}

interface BranchEnd {
  userId: string | Placeholder
  leafId: string | Placeholder
  limit: number | Placeholder
}

export function selectBranch(db: Db, end: BranchEnd) {
  const branch = db.$with('branch', messageColumns).as(walkUp(end))
  return db.with(branch).select().from(branch).orderBy(latestLast)
}

/** Sorts the rows of `walkUp` oldest first. */
export const latestLast = sql`step desc`

/** `offset 0` keeps the planner from replacing the index lookups by a scan of the table. */
export const walkUp = ({ userId, leafId, limit }: BranchEnd) => sql`
  with recursive up as (
    select id, parent_id, 1 as step from messages where id = ${leafId} and user_id = ${userId}
    union all
    select parent.id, parent.parent_id, up.step + 1
    from up cross join lateral (
      select id, parent_id from messages where id = up.parent_id and user_id = ${userId} offset 0
    ) parent
    where up.step < ${limit}
  )
  select message.*, up.step from up cross join lateral (select * from messages where id = up.id offset 0) message`

/** The leaf reached by taking the newest child at each step. */
export async function newestLeaf(db: Db, userId: string, messageId: string): Promise<string> {
  const [leaf] = await db.select({ id: sql<string>`leaf.id` }).from(sql`(
      with recursive down as (
        select id, 1 as step from messages where id = ${messageId} and user_id = ${userId}
        union all
        select child.id, down.step + 1
        from down cross join lateral (
          select id from messages where parent_id = down.id order by created_at desc, id desc limit 1
        ) child
      )
      select id from down order by step desc limit 1
    ) as leaf`)
  if (!leaf) throw noSuchMessage()
  return leaf.id
}

/** A stored message; siblings, files and rating are read unless they are known. */
export type ReadRow = Pick<
  MessageRow,
  | 'id'
  | 'threadId'
  | 'parentId'
  | 'role'
  | 'content'
  | 'status'
  | 'modelId'
  | 'input'
  | 'output'
  | 'charged'
  | 'parts'
  | 'citations'
  | 'web'
  | 'imageId'
  | 'errorCode'
  | 'errorMessage'
  | 'earlyStop'
  | 'masked'
  | 'thought'
  | 'thoughtSymbols'
  | 'thoughtMs'
  | 'createdAt'
> & {
  siblings?: string[]
  files?: Attachment[]
  rating?: Rating | null
  cachedTokens?: number | null
  imported?: MessageRow['imported']
}

/**
 * Message rows as the contract has them, with files and sibling versions. `known` has the current text of answers
 * that this process is writing.
 */
export async function toMessages(db: Db, rows: ReadRow[], known?: Map<string, TextSoFar>): Promise<Message[]> {
  const siblings = await siblingsOf(
    db,
    rows.filter((row) => row.siblings === undefined),
  )
  const attached = await filesOf(
    db,
    rows.filter((row) => row.files === undefined),
  )
  const rated = await ratingsOf(
    db,
    rows.filter((row) => row.rating === undefined),
  )
  const texts = known ?? (await textsSoFar(db, rows))
  return rows.map((row) => ({
    id: row.id,
    threadId: row.threadId,
    parentId: row.parentId,
    role: row.role,
    content: texts.get(row.id)?.text ?? row.content,
    status: row.status,
    modelId: row.modelId,
    input: row.input,
    output: row.output,
    charged: row.charged,
    parts: row.parts,
    ...(row.cachedTokens && { cached: Math.min(row.input, row.cachedTokens * SYMBOLS_PER_TOKEN) }),
    citations: row.citations ?? [],
    web: row.web,
    ...(row.imageId && { imageId: row.imageId }),
    thought: thoughtOf({ ...row, thought: texts.get(row.id)?.thought ?? row.thought }),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    earlyStop: row.earlyStop,
    masked: row.masked,
    rating: row.rating ?? rated.get(row.id) ?? null,
    ...(row.imported && { imported: row.imported }),
    files: row.files ?? attached.get(row.id) ?? [],
    siblings: row.siblings ?? siblings.get(siblingKey(row)) ?? [row.id],
    createdAt: row.createdAt.toISOString(),
  }))
}

function thoughtOf({
  thought,
  thoughtSymbols,
  thoughtMs,
}: Pick<ReadRow, 'thought' | 'thoughtSymbols' | 'thoughtMs'>): Thought | null {
  return thought === '' && thoughtSymbols === 0 ? null : { text: thought, symbols: thoughtSymbols, ms: thoughtMs }
}

/** Versions of one message have the same parent; the first messages of a thread have none. */
const siblingKey = ({ parentId, threadId }: Pick<MessageRow, 'parentId' | 'threadId'>) =>
  parentId ?? `first:${threadId}`

async function siblingsOf(db: Db, rows: ReadRow[]): Promise<Map<string, string[]>> {
  if (rows.length === 0) return new Map()
  const parents = rows.flatMap(({ parentId }) => parentId ?? [])
  const rootThreads = rows.filter(({ parentId }) => parentId === null).map(({ threadId }) => threadId)
  const found = await db
    .select({ id: messages.id, parentId: messages.parentId, threadId: messages.threadId })
    .from(messages)
    .where(
      or(
        parents.length > 0 ? inArray(messages.parentId, parents) : undefined,
        rootThreads.length > 0 ? and(inArray(messages.threadId, rootThreads), isNull(messages.parentId)) : undefined,
      ),
    )
    .orderBy(asc(messages.createdAt), asc(messages.id))
  return group(found.map((row) => [siblingKey(row), row.id]))
}

interface TextSoFar {
  text: string
  thought: string
}

async function textsSoFar(db: Db, rows: ReadRow[]): Promise<Map<string, TextSoFar>> {
  const running = rows.filter(({ status }) => status === 'streaming')
  if (running.length === 0) return new Map()
  const ids = running.map(({ id }) => id)
  const texts = await chunksOf(db, messageChunks, ids)
  const thoughts = await chunksOf(db, thoughtChunks, ids)
  return new Map(
    running.map(({ id, content, thought }) => [
      id,
      { text: joinChunks(content, texts.get(id) ?? []), thought: joinChunks(thought, thoughts.get(id) ?? []) },
    ]),
  )
}

async function chunksOf(db: Db, table: typeof messageChunks | typeof thoughtChunks, ids: string[]) {
  const chunks = await db.select().from(table).where(inArray(table.messageId, ids)).orderBy(asc(table.at))
  return group(chunks.map((chunk) => [chunk.messageId, chunk]))
}

/** Stops at the first gap: a chunk whose offset lies behind the end of the text. */
export function joinChunks(start: string, chunks: { at: number; text: string }[]): string {
  let text = start
  for (const chunk of chunks) {
    if (chunk.at > text.length) break
    text = text.slice(0, chunk.at) + chunk.text
  }
  return text
}

async function filesOf(db: Db, rows: ReadRow[]): Promise<Map<string, Attachment[]>> {
  // Of answers only imported ones have files.
  const withFiles = rows.filter(({ role, imported }) => role === 'user' || imported)
  if (withFiles.length === 0) return new Map()
  const found = await db
    .select({ messageId: messageFiles.messageId, file: attachmentColumns })
    .from(messageFiles)
    .innerJoin(files, eq(files.id, messageFiles.fileId))
    .where(
      inArray(
        messageFiles.messageId,
        withFiles.map(({ id }) => id),
      ),
    )
    .orderBy(asc(messageFiles.position))
  return group(found.map(({ messageId, file }) => [messageId, toAttachment(file)]))
}

/** Only owners rate their answers, so an answer has one at most. */
export const ratingColumn = sql<Rating | null>`(
  select case r.verdict when 'good' then jsonb_build_object('verdict', 'good')
    else jsonb_build_object('verdict', r.verdict, 'reason', coalesce(r.reason, 'other'), 'comment', r.comment) end
  from ratings r where r.message_id = messages.id limit 1)`

async function ratingsOf(db: Db, rows: ReadRow[]): Promise<Map<string, Rating>> {
  const ended = rows.filter(({ role, status }) => role === 'assistant' && status !== 'streaming')
  if (ended.length === 0) return new Map()
  const ids = ended.map(({ id }) => id)
  const found = await db.select().from(ratings).where(inArray(ratings.messageId, ids))
  return new Map(
    found.map(({ messageId, verdict, reason, comment }) => [
      messageId,
      verdict === 'good' ? { verdict } : { verdict, reason: reason ?? 'other', comment },
    ]),
  )
}

function group<Value>(pairs: [key: string, value: Value][]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const [key, value] of pairs) {
    const known = groups.get(key)
    if (known) known.push(value)
    else groups.set(key, [value])
  }
  return groups
}
