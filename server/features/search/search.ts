import * as z from 'zod/mini'
import type { ThreadFilter, ThreadRow } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { type Marker, markWords, toFoundRows } from './found.ts'
import { findSpans } from './fragment.ts'
import { type Hit, rankThreads, type Scope, threadIdsIn, threadsTitled } from './rank.ts'
import { anyWord, everyWord, knownStems, type QueryWord, queryWords, type TextQuery } from './text-query.ts'
import { findCorrections, fold, otherLayout } from './words.ts'

/** Pages end here: a narrower query is faster than reading on. */
const MAX_FOUND = 1000

/** The user's threads with the words of the query in the title or in a message, best first. */
export async function searchThreads({ db, user }: Ctx, filter: ThreadFilter): Promise<Page<ThreadRow[]>> {
  const query = filter.query?.trim() ?? ''
  if (query === '') return new Page([], null)
  const [name, offset] = filter.cursor === undefined ? [null, 0] : readCursor(Cursor, filter.cursor)
  const own = { userId: user.id, view: filter.view }
  const scope = { ...own, threadIds: await threadIdsIn(db, own), offset, limit: filter.limit + 1 }
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
    const fixed = withCorrections(words, await knownStems(db, userId))
    if (fixed) yield byWords('fixed', everyWord(fixed))
    if (words.length > 1) yield byWords('any', anyWord(fixed ?? words))
  }
  const characters = fold(query)
  yield {
    name: 'substring',
    find: (scope) => threadsTitled(db, scope, characters),
    mark: async (texts) => texts.map((text) => findSpans(text, characters)),
  }
}

/** Adds similar known words to each word that the user never wrote. Null if there are none. */
function withCorrections(words: QueryWord[], known: string[]): QueryWord[] | null {
  const written = new Set(known)
  const fixed = words.map(({ stems, begins }) => {
    const isKnown = stems.some((stem) => written.has(stem)) || known.some((stem) => begins && stem.startsWith(begins))
    const corrections = isKnown ? [] : findCorrections(stems[0] ?? begins ?? '', known, begins !== null)
    return { begins, stems: [...stems, ...corrections] }
  })
  return fixed.some(({ stems }, i) => stems.length > (words[i]?.stems.length ?? 0)) ? fixed : null
}

/** The interpretation and the number of rows read. An offset, because ranks change with every new message. */
const Cursor = z.tuple([ReadingName, z.int().check(z.minimum(0), z.maximum(MAX_FOUND))])
