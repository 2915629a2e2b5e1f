import { getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/lib/errors.ts'

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
