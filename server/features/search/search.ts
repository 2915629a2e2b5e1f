import * as z from 'zod/mini'
import type { ThreadFilter, ThreadRow } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { type Marker, markLabel, showFound } from './found.ts'
import { placesOf } from './fragment.ts'
import { type Asked, anyWord, askedWords, everyWord, knownStems, type Question } from './question.ts'
import { type Hit, rankThreads, type Scope, threadIdsIn, threadsTitled } from './rank.ts'
import { fixesOf } from './typos.ts'
import { fold, otherLayout } from './words.ts'

/** Nobody reads on behind this; a narrower question is the way. */
const MAX_FOUND = 1000

/** One's own threads that hold the words of a query in their titles or texts, the best first. */
export async function searchThreads({ db, user }: Ctx, filter: ThreadFilter): Promise<Page<ThreadRow[]>> {
  const query = filter.query?.trim() ?? ''
  if (query === '') return new Page([], null)
  const [reading, offset] = filter.cursor === undefined ? [null, 0] : readCursor(Cursor, filter.cursor)
  const own = { userId: user.id, view: filter.view }
  const scope = { ...own, threadIds: await threadIdsIn(db, own), offset, limit: filter.limit + 1 }
  for await (const { name, find, mark } of readings(db, user.id, query)) {
    const found = reading === null || reading === name ? await find(scope) : []
    if (found.length === 0) continue
    const rows = await showFound(db, user.id, found.slice(0, filter.limit), mark)
    const next = offset + filter.limit
    return new Page(rows, found.length > filter.limit && next < MAX_FOUND ? writeCursor([name, next]) : null)
  }
  return new Page([], null)
}

const ReadingName = z.enum(['every', 'retyped', 'fixed', 'any', 'letters'])

interface Reading {
  name: z.infer<typeof ReadingName>
  find: (scope: Scope) => Promise<Hit[]>
  mark: Marker
}

/** How a query may be meant, from the strictest to the loosest; the first that finds something is taken. */
async function* readings(db: Db, userId: string, query: string): AsyncGenerator<Reading> {
  const byWords = (name: Reading['name'], question: Question): Reading => ({
    name,
    find: (scope) => rankThreads(db, scope, question),
    mark: markLabel(db, question),
  })
  const words = await askedWords(db, query)
  if (words.length > 0) {
    yield byWords('every', everyWord(words))
    const retyped = await askedWords(db, otherLayout(query) ?? '')
    if (retyped.length > 0) yield byWords('retyped', everyWord(retyped))
    const fixed = withFixes(words, await knownStems(db, userId))
    if (fixed) yield byWords('fixed', everyWord(fixed))
    if (words.length > 1) yield byWords('any', anyWord(fixed ?? words))
  }
  const emails = fold(query)
  yield {
    name: 'letters',
    find: (scope) => threadsTitled(db, scope, emails),
    mark: async (texts) => texts.map((text) => placesOf(text, emails)),
  }
}

/** A word that its owner never wrote is perhaps misspelt: what it looks like is asked for as well. Null if nothing is. */
function withFixes(words: Asked[], known: string[]): Asked[] | null {
  const written = new Set(known)
  const fixed = words.map(({ stems, begins }) => {
    const isKnown = stems.some((stem) => written.has(stem)) || known.some((stem) => begins && stem.startsWith(begins))
    const fixes = isKnown ? [] : fixesOf(stems[0] ?? begins ?? '', known, begins !== null)
    return { begins, stems: [...stems, ...fixes] }
  })
  return fixed.some(({ stems }, i) => stems.length > (words[i]?.stems.length ?? 0)) ? fixed : null
}

/** Which reading it was and how many rows were seen: ranks change with every new message, places in the list hardly. */
const Cursor = z.tuple([ReadingName, z.int().check(z.minimum(0), z.maximum(MAX_FOUND))])
