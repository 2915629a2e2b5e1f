import { type SQL, sql } from 'drizzle-orm'
import type { ThreadFilter } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import type { Question } from './question.ts'
import { searchVector } from './vector.ts'

/** Where a thread holds the words: in its title, or in a message, the best of them. */
export interface Hit {
  threadId: string
  messageId: string | null
}

/** Whose threads, which of them, and which page of what is found. */
export interface Scope {
  userId: string
  view: ThreadFilter['view']
  /** All threads of that view: with how many there are the database knows better which index to begin with. */
  threadIds: string[]
  offset: number
  limit: number
}

/** Of a word that is everywhere only the newest messages are weighed: weighing is what costs. */
const MAX_WEIGHED = 500

/**
 * Who searches does not remember what was put away: the archive is searched with the rest. That says nothing as a
 * condition, but lets the database use the indexes of both lists.
 */
const within: Record<Scope['view'], SQL> = {
  active: sql`t.deleted_at is null and (t.archived or not t.archived)`,
  archived: sql`t.deleted_at is null and t.archived`,
  trash: sql`t.deleted_at is not null`,
}

/** A title with signs in it is split at them, as texts are; its own index knows words between spaces only. */
const titleWords = sql`case when t.title ~ '[^[:alnum:][:space:]]' then ${searchVector(sql`t.title`)} else t.search end`

const ownIn = ({ userId, view }: Pick<Scope, 'userId' | 'view'>) => sql`t.user_id = ${userId} and ${within[view]}`

export async function threadIdsIn(db: Db, scope: Pick<Scope, 'userId' | 'view'>): Promise<string[]> {
  const { rows } = (await db.execute(sql`select t.id from threads t where ${ownIn(scope)}`)) as unknown as {
    rows: { id: string }[]
  }
  return rows.map(({ id }) => id)
}

/**
 * Threads that hold what is asked, the best first; of nearly equal ones the newer. Messages are looked up by the
 * words and by the threads they are in, both with an index, so strangers' messages with the same words cost nothing.
 * `offset 0` keeps the order out of that: the database would rather walk through everybody's newest messages.
 */
export async function rankThreads(db: Db, scope: Scope, question: Question): Promise<Hit[]> {
  const [match, exact] = [sql`to_tsquery('simple', ${question.match})`, sql`to_tsquery('simple', ${question.exact})`]
  const { rows } = (await db.execute(sql`
    with matching as (
      select thread_id, id, search, created_at from messages
      where user_id = ${scope.userId} and search @@ ${match} and thread_id = any(${sql.param(scope.threadIds)}::text[])
      offset 0
    ), weighed as (
      select thread_id, id, created_at, ts_rank(search, ${exact}) as rank
      from (select * from matching order by created_at desc limit ${MAX_WEIGHED}) as newest
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

/** Threads whose title has the very letters: what no index of words knows, such as «C++» or a smiley. */
export async function threadsTitled(db: Db, scope: Scope, emails: string): Promise<Hit[]> {
  const { rows } = (await db.execute(sql`
    select t.id as "threadId", null as "messageId" from threads t
    where ${ownIn(scope)} and strpos(translate(lower(t.title), 'ё', 'е'), ${emails}) > 0
    order by t.updated_at desc, t.id desc
    limit ${scope.limit} offset ${scope.offset}`)) as unknown as { rows: Hit[] }
  return rows
}
