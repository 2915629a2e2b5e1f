import { type SQL, sql } from 'drizzle-orm'
import type { ThreadFilter } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import type { TextQuery } from './text-query.ts'
import { searchVector } from './vector.ts'

/** A thread and its best message; `messageId` is null when the title matched better. */
export interface Hit {
  threadId: string
  messageId: string | null
}

export interface Scope {
  userId: string
  view: ThreadFilter['view']
  /** All threads of the view. Passed as values, so that the planner knows their number and picks the right index. */
  threadIds: string[]
  offset: number
  limit: number
}

/** Only the newest matches are ranked, because ts_rank is the expensive part. */
const MAX_RANKED = 500

/**
 * The archive is searched with the active threads. The condition on `archived` is always true; it lets the planner
 * use the partial indexes of both lists.
 */
const viewConditions: Record<Scope['view'], SQL> = {
  active: sql`t.deleted_at is null and (t.archived or not t.archived)`,
  archived: sql`t.deleted_at is null and t.archived`,
  trash: sql`t.deleted_at is not null`,
}

/** A title with punctuation is split at it, as texts are; the stored vector of a title splits at spaces only. */
const titleWords = sql`case when t.title ~ '[^[:alnum:][:space:]]' then ${searchVector(sql`t.title`)} else t.search end`

const ownIn = ({ userId, view }: Pick<Scope, 'userId' | 'view'>) =>
  sql`t.user_id = ${userId} and ${viewConditions[view]}`

export async function threadIdsIn(db: Db, scope: Pick<Scope, 'userId' | 'view'>): Promise<string[]> {
  const { rows } = (await db.execute(sql`select t.id from threads t where ${ownIn(scope)}`)) as unknown as {
    rows: { id: string }[]
  }
  return rows.map(({ id }) => id)
}

/**
 * Matching threads, best first, newer first among equals. Messages are found by the indexes of words and of threads.
 * `offset 0` keeps the planner from walking through the newest messages of all users instead.
 */
export async function rankThreads(db: Db, scope: Scope, query: TextQuery): Promise<Hit[]> {
  const [match, exact] = [sql`to_tsquery('simple', ${query.match})`, sql`to_tsquery('simple', ${query.exact})`]
  const { rows } = (await db.execute(sql`
    with matching as (
      select thread_id, id, search, created_at from messages
      where user_id = ${scope.userId} and search @@ ${match} and thread_id = any(${sql.param(scope.threadIds)}::text[])
      offset 0
    ), weighed as (
      select thread_id, id, created_at, ts_rank(search, ${exact}) as rank
      from (select * from matching order by created_at desc limit ${MAX_RANKED}) as newest
      union all
      select t.id, null, t.updated_at, ts_rank(setweight(words, 'A'), ${exact})
      from threads t cross join lateral (select ${titleWords} as words) as title
      where ${ownIn(scope)} and words @@ ${match}
    ), best as (
      select distinct on (thread_id) thread_id, id, rank from weighed
      order by thread_id, rank desc, id nulls first, created_at desc
    )
    select thread_id as "threadId", best.id as "messageId"
    from best join threads t on t.id = best.thread_id
    order by round(rank::numeric, 2) desc, t.updated_at desc, t.id desc
    limit ${scope.limit} offset ${scope.offset}`)) as unknown as { rows: Hit[] }
  return rows
}

/** Threads whose title contains the characters, for queries without words such as «C++» or an emoji. */
export async function threadsTitled(db: Db, scope: Scope, characters: string): Promise<Hit[]> {
  const { rows } = (await db.execute(sql`
    select t.id as "threadId", null as "messageId" from threads t
    where ${ownIn(scope)} and strpos(translate(lower(t.title), 'ё', 'е'), ${characters}) > 0
    order by t.updated_at desc, t.id desc
    limit ${scope.limit} offset ${scope.offset}`)) as unknown as { rows: Hit[] }
  return rows
}
