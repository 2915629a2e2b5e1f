import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Transcription, TranscriptionFilter, TranscriptionRow } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { transcriptions } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { isClaimed, OwnershipLost } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { notFound } from '#server/lib/errors.ts'
import { findSpans, fragmentOf } from '../search/fragment.ts'
import { type Marker, markWords } from '../search/search.ts'
import { everyWord, MAX_SEARCHED, queryWords, searchVector } from '../search/text-query.ts'
import { fold, otherLayout } from '../search/words.ts'
import type { TranscriptionDeps } from './deps.ts'
import { shownSegments, shownSpeakers } from './speakers.ts'

export type Row = Omit<typeof transcriptions.$inferSelect, 'search'>

const { search: _, ...columns } = getTableColumns(transcriptions)
export const allColumns = columns

const { text: __, segments: ___, original: ____, transcribed: _____, speakers: ______, ...light } = columns
/** Leaves out the long texts; a list shows only the beginning. */
const listColumns = {
  ...light,
  partsDone: sql<number>`jsonb_array_length(${transcriptions.transcribed})`.mapWith(Number),
  beginning: sql<string>`left(${transcriptions.text}, 200)`,
}

/** Each step is stored at once, so that a try after a crash begins with the next one. */
export async function change(
  { db, publish }: TranscriptionDeps,
  row: Row,
  values: Partial<typeof transcriptions.$inferInsert>,
): Promise<void> {
  const [changed] = await retryWhileUnavailable(() =>
    db.update(transcriptions).set(values).where(isClaimed(transcriptions, row)).returning({ id: transcriptions.id }),
  )
  if (!changed) throw new OwnershipLost()
  publishTranscription(publish, row.userId, row.id)
}

const FRAGMENT = 160

type ListedRow = Omit<Row, 'text' | 'segments' | 'original' | 'transcribed' | 'speakers'> & {
  partsDone: number
  beginning: string
}

function toRow(row: ListedRow): TranscriptionRow {
  const { state, plan, errorCode, errorMessage, beginning } = row
  const partsTotal = plan && Math.max(1, plan.length)
  const start = beginning.replace(/\s+/g, ' ').trim()
  return {
    id: row.id,
    title: row.title,
    fileName: row.fileName,
    mime: row.mime,
    bytes: row.bytes,
    received: row.received,
    durationMs: row.durationMs,
    language: row.language,
    modelId: row.modelId,
    status: state,
    progress: row.progress,
    partsDone: state === 'ready' ? (partsTotal ?? 0) : row.partsDone,
    partsTotal,
    edited: row.edited,
    charged: row.charged,
    paid: row.paid,
    error: state === 'failed' ? { code: errorCode ?? 'unknown', message: errorMessage ?? '' } : null,
    fragment:
      start === '' ? [] : [{ text: start.length > FRAGMENT ? `${start.slice(0, FRAGMENT)}…` : start, hit: false }],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toTranscription(row: Row): Transcription {
  const light = { ...row, partsDone: row.transcribed.length, beginning: row.text.slice(0, 200) }
  return {
    ...toRow(light),
    text: row.text,
    segments: row.segments && shownSegments(row.segments, row.speakers),
    speakers: shownSpeakers(row.speakers),
  }
}

export const ownTranscription = (userId: string, id: string) =>
  and(eq(transcriptions.id, id), eq(transcriptions.userId, userId))

export const transcriptionNotFound = () => notFound('У вас нет расшифровки с таким ID')

export const searchOf = (title: string, text: string) => searchVector(`${title}\n${text}`)

/** Publishes to all pages of the owner, after the commit. */
export function publishTranscription(
  publish: Publish,
  userId: string,
  id: string,
  type: 'changed' | 'removed' = 'changed',
): void {
  afterCommit(() => publish(userId, { topic: 'transcriptions', type, data: { id } }))
}

export function publishBalance(publish: Publish, userId: string): void {
  afterCommit(() => publish(userId, { topic: 'profile', type: 'balance', data: null }))
}

/** The caller's recordings, newest first; with a query only those that match it. */
export async function listTranscriptions(ctx: Ctx, filter: TranscriptionFilter): Promise<Page<TranscriptionRow[]>> {
  const query = filter.query?.trim() ?? ''
  const cursor = filter.cursor === undefined ? null : readCursor(Cursor, filter.cursor)
  if (query === '') return pageOf(ctx, filter, cursor, undefined, null)
  for await (const { name, where, mark } of readings(ctx.db, query)) {
    if (cursor && cursor[0] !== name) continue
    const page = await pageOf(ctx, filter, cursor, where, { name, mark })
    if (page.items.length > 0) return page
  }
  return new Page([], null)
}

const ReadingName = z.enum(['all', 'every', 'retyped', 'substring'])
type ReadingName = z.infer<typeof ReadingName>

interface Reading {
  name: ReadingName
  where: SQL
  mark: Marker
}

/** Interpretations of a query, strictest first; the first one with results is used. */
async function* readings(db: Db, query: string): AsyncGenerator<Reading> {
  for (const [name, text] of [
    ['every', query],
    ['retyped', otherLayout(query) ?? ''],
  ] as const) {
    const words = await queryWords(db, text)
    if (words.length === 0) continue
    const question = everyWord(words)
    const where = sql`${transcriptions.search} @@ to_tsquery('simple', ${question.match})`
    yield { name, where, mark: markWords(db, question) }
  }
  const characters = fold(query)
  yield {
    name: 'substring',
    where: sql`strpos(translate(lower(${transcriptions.title}), 'ё', 'е'), ${characters}) > 0`,
    mark: async (texts) => texts.map((text) => findSpans(text, characters)),
  }
}

/** Reads one row more than the page shows, to know whether there is a next page. */
async function pageOf(
  { db, user }: Ctx,
  { limit }: TranscriptionFilter,
  cursor: Cursor | null,
  where: SQL | undefined,
  reading: Pick<Reading, 'name' | 'mark'> | null,
): Promise<Page<TranscriptionRow[]>> {
  const rows = await db
    .select(listColumns)
    .from(transcriptions)
    .where(and(eq(transcriptions.userId, user.id), where, cursor ? after(cursor) : undefined))
    .orderBy(desc(transcriptions.createdAt), desc(transcriptions.id))
    .limit(limit + 1)
  const shown = rows.slice(0, limit).map(toRow)
  const items = reading ? await withMarks(db, shown, reading.mark) : shown
  const last = rows.length > limit ? shown.at(-1) : undefined
  return new Page(items, last ? writeCursor([reading?.name ?? 'all', Date.parse(last.createdAt), last.id]) : null)
}

async function withMarks(db: Db, rows: TranscriptionRow[], mark: Marker): Promise<TranscriptionRow[]> {
  if (rows.length === 0) return []
  const texts = await db
    .select({ id: transcriptions.id, text: sql<string>`left(${transcriptions.text}, ${MAX_SEARCHED})` })
    .from(transcriptions)
    .where(
      inArray(
        transcriptions.id,
        rows.map(({ id }) => id),
      ),
    )
  const known = new Map(texts.map(({ id, text }) => [id, text]))
  const matches = await mark(rows.map(({ id }) => known.get(id) ?? ''))
  return rows.map((row, i) => {
    const found = matches[i] ?? []
    return found.length === 0 ? row : { ...row, fragment: fragmentOf(known.get(row.id) ?? '', found) }
  })
}

/** The interpretation that matched, and the time and id of the last row. Rows added above do not shift the pages. */
const Cursor = z.tuple([
  ReadingName,
  z.int().check(z.minimum(0), z.maximum(8.64e15)),
  z.string().check(z.regex(/^[\w-]{1,64}$/)),
])
type Cursor = z.infer<typeof Cursor>

const after = ([, time, id]: Cursor) =>
  sql`(${transcriptions.createdAt}, ${transcriptions.id}) < (${new Date(time).toISOString()}::timestamptz, ${id})`
