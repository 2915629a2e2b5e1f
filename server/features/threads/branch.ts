import { getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/lib/errors.ts'

const { search: _, ...allButSearch } = getTableColumns(messages)

/** Everything of a message but its index of words, which is large and read by the database alone. */
export const messageColumns = allButSearch
export type MessageRow = Omit<typeof messages.$inferSelect, 'search'>

/** The versions of a message in its place, itself among them; the first messages of a thread are versions of each other. */
export const siblingsColumn = sql<string[]>`case
  when messages.parent_id is null then array(
    select other.id from messages other where other.thread_id = messages.thread_id and other.parent_id is null
    order by other.created_at, other.id)
  else array(
    select other.id from messages other where other.parent_id = messages.parent_id order by other.created_at, other.id)
  end`

/** The text as far as it is stored, also of an answer that is being written. */
export const contentSoFar = sql<string>`${messages.content} || coalesce((
  select string_agg(chunk.text, '' order by chunk.at) from message_chunks chunk where chunk.message_id = ${messages.id}), '')`

export const noSuchMessage = () => notFound('В этой беседе нет такого сообщения')
export const stillWriting = () => new AppError('conflict', 'Ответ ещё пишется. Дождитесь конца или остановите его.')

/**
 * The branch that ends in a message, oldest first, at most `limit` of its last messages.
 * Each step is one look into an index, so a long thread costs no more than a short one.
 */
export async function branchUp(db: Db, userId: string, leafId: string, limit: number): Promise<MessageRow[]> {
  return selectBranch(db, { userId, leafId, limit })
}

interface BranchEnd {
  userId: string
  leafId: string
  limit: number
}

export function selectBranch(db: Db, end: BranchEnd) {
  const branch = db.$with('branch', messageColumns).as(walkUp(end))
  return db.with(branch).select().from(branch).orderBy(latestLast)
}

/** The order of what `walkUp` finds. */
export const latestLast = sql`step desc`

/** `offset 0` keeps the planner from turning a look into an index into a walk over the table. */
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

/** Goes down from a message to the newest end below it. */
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
