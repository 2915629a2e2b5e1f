import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SearchMatch, ThreadFilter, ThreadRow } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { messages, threads } from '#server/db/schema.ts'
import { titleWords } from '#server/db/title-words.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { createPauses, inTurns } from '#server/lib/pauses.ts'
import { addFirstWords } from '../threads/first-words.ts'
import { selectThreads, toThread } from '../threads/to-thread.ts'
import { findSpans, fragmentOf, markedText, type Span, wordsBeginning } from './fragment.ts'
import {
  anyWord,
  everyWord,
  knownStems,
  MAX_SEARCHED,
  type QueryWord,
  queryWords,
  type TextQuery,
} from './text-query.ts'
import { findCorrections, fold, otherLayout } from './words.ts'

/** Pages end here: a narrower query is faster than reading on. */
const MAX_FOUND = 1000

/** The user's threads with the words of the query in the title or in a message, best first. */
export async function searchThreads({ db, user }: Ctx, filter: ThreadFilter): Promise<Page<ThreadRow[]>> {
  const query = filter.query?.trim() ?? ''
  if (query === '') return new Page([], null)
  const [name, offset] = filter.cursor === undefined ? [null, 0] : readCursor(Cursor, filter.cursor)
  const own = { userId: user.id, view: filter.view, project: filter.project }
  const scope = { ...own, newest: await newestThreads(db, own), offset, limit: filter.limit + 1 }
  for await (const { name: current, find, mark } of readings(db, user.id, query)) {
    const found = name === null || name === current ? await find(scope) : []
    if (found.length === 0) continue
    const rows = await toFoundRows(db, user.id, found.slice(0, filter.limit), mark)
    const next = offset + filter.limit
    return new Page(rows, found.length > filter.limit && next < MAX_FOUND ? writeCursor([current, next]) : null)
  }
  return new Page([], null)
}

const ReadingName = z.enum(['every', 'retyped', 'fixed', 'any', 'substring'])

interface Reading {
  name: z.infer<typeof ReadingName>
  find: (scope: Scope) => Promise<Hit[]>
  mark: Marker
}

/** Interpretations of a query, strictest first. The first one that finds something is used. */
async function* readings(db: Db, userId: string, query: string): AsyncGenerator<Reading> {
  const byWords = (name: Reading['name'], textQuery: TextQuery): Reading => ({
    name,
    find: (scope) => rankThreads(db, scope, textQuery),
    mark: markWords(db, textQuery),
  })
  const words = await queryWords(db, query)
  if (words.length > 0) {
    yield byWords('every', everyWord(words))
    const retyped = await queryWords(db, otherLayout(query) ?? '')
    if (retyped.length > 0) yield byWords('retyped', everyWord(retyped))
    const fixed = await withCorrections(words, await knownStems(db, userId))
    if (fixed) yield byWords('fixed', everyWord(fixed))
    if (words.length > 1) yield byWords('any', anyWord(fixed ?? words))
  }
  const characters = fold(query)
  yield {
    name: 'substring',
    find: (scope) => threadsTitled(db, scope, characters),
    mark: (texts) => inTurns(texts, (text) => findSpans(text, characters)),
  }
}

/** Adds similar known words to each word that the user never wrote. Null if there are none. */
async function withCorrections(words: QueryWord[], known: string[]): Promise<QueryWord[] | null> {
  const written = new Set(known)
  const pause = createPauses()
  const fixed: QueryWord[] = []
  for (const { stems, begins } of words) {
    const isKnown = stems.some((stem) => written.has(stem)) || known.some((stem) => begins && stem.startsWith(begins))
    const corrections = isKnown ? [] : findCorrections(stems[0] ?? begins ?? '', known, begins !== null)
    fixed.push({ begins, stems: [...stems, ...corrections] })
    await pause()
  }
  return fixed.some(({ stems }, i) => stems.length > (words[i]?.stems.length ?? 0)) ? fixed : null
}

/** The interpretation and the number of rows read. An offset, because ranks change with every new message. */
const Cursor = z.tuple([ReadingName, z.int().check(z.minimum(0), z.maximum(MAX_FOUND))])

/** A thread and its best message; `messageId` is null when the title matched better. */
const ThreadId = z.object({ id: z.string() })
const Word = z.object({ word: z.string() })
const Probed = z.object({ hits: z.number() })

const Hit = z.object({ threadId: z.string(), messageId: z.nullable(z.string()) })
export type Hit = z.infer<typeof Hit>

export interface Scope {
  userId: string
  view: ThreadFilter['view']
  /** Only chats of this project. */
  project?: string | undefined
  /** The newest threads of the view: as many as frequent words are looked for in. */
  newest: string[]
  offset: number
  limit: number
}

/** Only the newest matches are ranked, because ts_rank is the expensive part. */
const MAX_RANKED = 500
/** More, because some may be in the trash. */
const MAX_LOOKED_UP = 2000
/** Words are frequent if `FREQUENT` of the newest messages have them. Numbers are in all, shared by the threads. */
const FREQUENT = 30
const PROBE = { threads: 40, messages: 400, hits: 400 }
/** Where frequent words are looked for. */
const WALK = { threads: 100, messages: 3000, hits: MAX_RANKED }

/**
 * The archive is searched with the active threads. The condition on `archived` is always true; it lets the planner
 * use the partial indexes of both lists.
 */
const viewConditions: Record<Scope['view'], SQL> = {
  active: sql`t.deleted_at is null and (t.archived or not t.archived)`,
  archived: sql`t.deleted_at is null and t.archived`,
  trash: sql`t.deleted_at is not null`,
}

const ownIn = ({ userId, view, project }: Pick<Scope, 'userId' | 'view' | 'project'>) =>
  sql`t.user_id = ${userId} and not t.temporary and ${viewConditions[view]} ${project === undefined ? sql`` : sql`and t.project_id = ${project}`}`

/** Of each list by its own index, whose order it is; the archive is searched with the active threads. */
export async function newestThreads(db: Db, scope: Pick<Scope, 'userId' | 'view' | 'project'>): Promise<string[]> {
  const newest = (list: SQL) =>
    sql`(select t.id, t.updated_at from threads t where ${ownIn(scope)} and ${list}
      order by t.updated_at desc limit ${WALK.threads})`
  const lists =
    scope.view === 'active' && scope.project === undefined
      ? [sql`not t.archived and t.pinned`, sql`not t.archived and not t.pinned`, sql`t.archived`]
      : [sql`true`]
  const rows = await rowsOf(
    db,
    sql`select id from (${sql.join(lists.map(newest), sql` union all `)}) as found
      order by updated_at desc limit ${WALK.threads}`,
    ThreadId,
  )
  return rows.map(({ id }) => id)
}

/** Messages with the words among the newest ones of the newest threads. */
function amongNewest({ userId, newest }: Scope, match: SQL, most: typeof WALK): SQL {
  const ids = newest.slice(0, most.threads)
  const ofEach = (number: number) => Math.floor(number / Math.max(1, ids.length))
  return sql`
    select found.* from unnest(${sql.param(ids)}::text[]) as own(thread_id)
    cross join lateral (
      select * from (
        select thread_id, id, search, created_at from messages
        where thread_id = own.thread_id and user_id = ${userId}
        order by created_at desc limit ${ofEach(most.messages)}
      ) as newest where search @@ ${match} limit ${ofEach(most.hits)}
    ) as found`
}

/**
 * Of frequent words the newest threads have enough messages. Rare ones are found by the indexes of words and of owners;
 * `offset 0` keeps the planner from walking through the newest messages of all users instead.
 */
async function matchingMessages(db: Db, scope: Scope, match: SQL): Promise<SQL> {
  const probe = sql`select count(*)::int as hits from (${amongNewest(scope, match, PROBE)}) as probed`
  const [probed] = await rowsOf(db, probe, Probed)
  if ((probed?.hits ?? 0) >= FREQUENT) return amongNewest(scope, match, WALK)
  return sql`
    select thread_id, id, search, created_at from messages
    where user_id = ${scope.userId} and search @@ ${match} offset 0`
}

/**
 * Matches with their threads. Where nearly all threads of a user count, they are looked up one by one and only for the
 * newest matches: the planner expects thousands of matches of a rare word, and would read all threads to join them.
 */
function withThreads(scope: Scope, matching: SQL): SQL {
  if (scope.view !== 'active' || scope.project !== undefined)
    return sql`(${matching}) as found join threads t on t.id = found.thread_id and ${ownIn(scope)}`
  return sql`
    (select * from (${matching}) as matching order by created_at desc limit ${MAX_LOOKED_UP}) as found
    cross join lateral (
      select t.updated_at from threads t where t.id = found.thread_id and ${ownIn(scope)} limit 1
    ) as t`
}

/** Matching threads, best first, newer first among equals. */
export async function rankThreads(db: Db, scope: Scope, query: TextQuery): Promise<Hit[]> {
  const [match, exact] = [sql`to_tsquery('simple', ${query.match})`, sql`to_tsquery('simple', ${query.exact})`]
  const matching = await matchingMessages(db, scope, match)
  const words = titleWords(sql`t.title`)
  const rows = await rowsOf(
    db,
    sql`
    with weighed as (
      (select found.thread_id, found.id, found.created_at, t.updated_at, ts_rank(found.search, ${exact}) as rank
      from ${withThreads(scope, matching)}
      order by found.created_at desc limit ${MAX_RANKED})
      union all
      select t.id, null, t.updated_at, t.updated_at, ts_rank(setweight(${words}, 'A'), ${exact})
      from threads t where ${ownIn(scope)} and ${words} @@ ${match}
    ), best as (
      select distinct on (thread_id) thread_id, id, rank, updated_at from weighed
      order by thread_id, rank desc, id nulls first, created_at desc
    )
    select thread_id as "threadId", id as "messageId" from best
    order by round(rank::numeric, 2) desc, updated_at desc, thread_id desc
    limit ${scope.limit} offset ${scope.offset}`,
    Hit,
  )
  return rows
}

/** Threads whose title contains the characters, for queries without words such as «C++» or an emoji. */
export async function threadsTitled(db: Db, scope: Scope, characters: string): Promise<Hit[]> {
  const rows = await rowsOf(
    db,
    sql`
    select t.id as "threadId", null as "messageId" from threads t
    where ${ownIn(scope)} and strpos(translate(lower(t.title), 'ё', 'е'), ${characters}) > 0
    order by t.updated_at desc, t.id desc
    limit ${scope.limit} offset ${scope.offset}`,
    Hit,
  )
  return rows
}

export type Marker = (texts: string[]) => Promise<Span[][]>

/** List rows with the found fragments, in the order of the hits. */
export async function toFoundRows(db: Db, userId: string, hits: Hit[], mark: Marker): Promise<ThreadRow[]> {
  if (hits.length === 0) return []
  const ids = hits.map(({ threadId }) => threadId)
  const rows = await selectThreads(db).where(and(inArray(threads.id, ids), eq(threads.userId, userId)))
  const contents = await contentsOf(db, userId, hits)
  const known = new Map(rows.map((row) => [row.thread.id, toThread(row)]))
  const shown = hits.flatMap(({ threadId, messageId }) => {
    const thread = known.get(threadId)
    const text = messageId === null ? thread?.title : contents.get(messageId)
    return thread && text !== undefined ? [{ thread, messageId, text }] : []
  })
  const spans = await mark(shown.map(({ text }) => text))
  const found = await inTurns(shown, ({ thread, messageId, text }, i) => ({
    ...thread,
    found: { messageId, fragment: fragmentsOf(messageId, text, spans[i] ?? []) },
  }))
  return addFirstWords(db, found)
}

function fragmentsOf(messageId: string | null, text: string, spans: Span[]): SearchMatch['fragment'] {
  return messageId === null ? markedText(text, spans) : fragmentOf(text, spans)
}

async function contentsOf(db: Db, userId: string, hits: Hit[]): Promise<Map<string, string>> {
  const ids = hits.flatMap(({ messageId }) => messageId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: messages.id, content: sql<string>`left(${messages.content}, ${MAX_SEARCHED})` })
    .from(messages)
    .where(and(inArray(messages.id, ids), eq(messages.userId, userId)))
  return new Map(rows.map(({ id, content }) => [id, content]))
}

/**
 * Sends the words that begin with the same characters to the database and marks those that match. ts_headline would
 * parse every text whole and return it without «ё».
 */
export const markWords =
  (db: Db, { each }: TextQuery): Marker =>
  async (texts) => {
    const characters = (each.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((stem) =>
      String.fromCodePoint(stem.codePointAt(0) ?? 0),
    )
    const spans = await inTurns(texts, (text) => wordsBeginning(text, characters))
    const words = [...new Set(spans.flat().map(({ word }) => word))]
    const rows = await rowsOf(
      db,
      sql`
      select word from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as word
      where to_tsvector('russian', word) @@ to_tsquery('simple', ${each})`,
      Word,
    )
    const found = new Set(rows.map(({ word }) => word))
    return spans.map((each) => each.filter(({ word }) => found.has(word)))
  }
