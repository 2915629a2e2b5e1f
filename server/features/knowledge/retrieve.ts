import { and, asc, eq, inArray, sum } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { fileChunks, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { headOf } from './chunks.ts'
import { rankByVectors } from './rank-vectors.ts'
import { rankByWords } from './rank-words.ts'
import { findEmbedder, type KnowledgeWorld } from './world.ts'

/** A passage of a file, as a model is shown it and a citation opens it. */
export interface Excerpt {
  chunkId: string
  fileId: string
  fileName: string
  /** «стр. 4», «лист «Цены»». */
  place: string | null
  section: string | null
  text: string
}

/** An excerpt with what stands around it. */
export interface ExcerptInPlace extends Excerpt {
  before: string | null
  after: string | null
}

export interface Ask {
  assistantId: string
  question: string
  /** No more symbols than this, heads included. */
  most: number
}

/** Files that are no longer than this together are given whole: cheaper than to miss something. */
export const WHOLE_SYMBOLS = 20_000
const MAX_EXCERPTS = 12
const CANDIDATES = 40
/** The usual constant of merging by reciprocal rank: nobody's first place beats two good ones. */
const RANK_DAMPING = 60

/** What an assistant's ready files say to a question, the best first; small files whole and in order. */
export async function findExcerpts(
  db: Db,
  world: KnowledgeWorld,
  ask: Ask,
): Promise<{ excerpts: Excerpt[]; whole: boolean }> {
  const size = await symbolsOf(db, ask.assistantId)
  if (size <= Math.min(WHOLE_SYMBOLS, ask.most)) {
    return { excerpts: await everyChunk(db, ask.assistantId), whole: true }
  }
  const ranked = await rank(db, world, ask)
  const excerpts = await load(db, ask.assistantId, ranked.slice(0, MAX_EXCERPTS))
  const [best] = excerpts
  const around = best ? await beside(db, best) : []
  return { excerpts: fitting([...excerpts, ...around].map(toExcerpt), ask.most), whole: false }
}

/** The ids of chunks by words and, where there are vectors, by meaning. */
export async function rank(db: Db, world: KnowledgeWorld, { assistantId, question }: Omit<Ask, 'most'>) {
  const embedder = await findEmbedder(db, world)
  const byWords = rankByWords(db, assistantId, question, CANDIDATES)
  if (!embedder) return byWords
  const byVectors = rankByVectors(db, world, embedder, { assistantId, question, limit: CANDIDATES })
  return merge(await Promise.all([byWords, byVectors]))
}

/** Several orders made one: what stands high in any of them comes first, what stands high in all of them before it. */
export function merge(orders: string[][]): string[] {
  const scores = new Map<string, number>()
  for (const order of orders)
    for (const [place, id] of order.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_DAMPING + place + 1))
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id)
}

const ready = (assistantId: string) => and(eq(files.assistantId, assistantId), eq(files.state, 'ready'))

async function symbolsOf(db: Db, assistantId: string): Promise<number> {
  const [row] = await db
    .select({ symbols: sum(files.symbols).mapWith(Number) })
    .from(files)
    .where(ready(assistantId))
  return row?.symbols ?? 0
}

const { id: chunkId, fileId, place, section, text, position, lead } = fileChunks
const columns = { chunkId, fileId, fileName: files.name, place, section, text, position, lead }

type Row = Excerpt & { position: number; lead: number }

const chunks = (db: Db) => db.select(columns).from(fileChunks).innerJoin(files, eq(files.id, fileId))
const toExcerpt = ({ position, lead, ...excerpt }: Row): Excerpt => excerpt
/** Without what it repeats of the chunk before. */
const ownText = (row: Row): Row => ({ ...row, text: row.text.slice(row.lead) })

async function everyChunk(db: Db, assistantId: string): Promise<Excerpt[]> {
  const rows = await chunks(db).where(ready(assistantId)).orderBy(asc(files.createdAt), asc(files.id), asc(position))
  return rows.map(ownText).map(toExcerpt)
}

async function load(db: Db, assistantId: string, ids: string[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await chunks(db).where(and(inArray(chunkId, ids), ready(assistantId)))
  const known = new Map(rows.map((row) => [row.chunkId, row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** The chunks before and after, in their order. */
const beside = (db: Db, row: Row): Promise<Row[]> =>
  chunks(db)
    .where(and(eq(fileId, row.fileId), inArray(position, [row.position - 1, row.position + 1])))
    .orderBy(asc(position))

/** What an excerpt costs in a question: its text and the line over it. */
export const excerptSymbols = (excerpt: Excerpt) => countSymbols(headOf(excerpt)) + countSymbols(excerpt.text) + 2

function fitting(excerpts: Excerpt[], most: number): Excerpt[] {
  const chosen = new Map<string, Excerpt>()
  let left = most
  for (const excerpt of excerpts) {
    const symbols = excerptSymbols(excerpt)
    if (chosen.has(excerpt.chunkId) || symbols > left) continue
    chosen.set(excerpt.chunkId, excerpt)
    left -= symbols
  }
  return [...chosen.values()]
}

/** The passage behind a citation, with what stands before and after it in the file. */
export async function readExcerpt({ db, user }: Ctx, id: string): Promise<ExcerptInPlace> {
  const [row] = await chunks(db).where(and(eq(chunkId, id), eq(files.userId, user.id)))
  if (!row) throw notFound('Такого отрывка нет: возможно, файл удалён или прочитан заново.')
  const around = await beside(db, row)
  const before = around.find((chunk) => chunk.position < row.position)
  const after = around.find((chunk) => chunk.position > row.position)
  return {
    ...toExcerpt(row),
    before: before ? withoutTail(before.text, row.text.slice(0, row.lead)) : null,
    after: after ? ownText(after).text : null,
  }
}

/** What stands before a passage, without the words with which the passage itself begins. */
function withoutTail(text: string, repeated: string): string {
  const tail = repeated.trimEnd()
  return tail !== '' && text.endsWith(tail) ? text.slice(0, -tail.length).trimEnd() : text
}
