import { and, asc, eq, inArray, sum } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { filePassages, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { findEmbedder, type KnowledgeDeps } from './deps.ts'
import { headOf } from './passages.ts'
import { rankByVectors } from './rank-vectors.ts'
import { rankByWords } from './rank-words.ts'

/** A passage of a file, as a model is shown it and a citation opens it. */
export interface Passage {
  passageId: string
  fileId: string
  fileName: string
  /** «стр. 4», «лист «Цены»». */
  place: string | null
  section: string | null
  text: string
}

/** An excerpt with what stands around it. */
export interface PassageAt extends Passage {
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
const MAX_PASSAGES = 12
const CANDIDATES = 40
/** The usual constant of merging by reciprocal rank: nobody's first place beats two good ones. */
const RANK_DAMPING = 60

/** What an assistant's ready files say to a question, the best first; small files whole and in order. */
export async function findPassages(
  db: Db,
  deps: KnowledgeDeps,
  ask: Ask,
): Promise<{ passages: Passage[]; whole: boolean }> {
  const size = await symbolsOf(db, ask.assistantId)
  if (size <= Math.min(WHOLE_SYMBOLS, ask.most)) {
    return { passages: await everyChunk(db, ask.assistantId), whole: true }
  }
  const ranked = await rank(db, deps, ask)
  const passages = await load(db, ask.assistantId, ranked.slice(0, MAX_PASSAGES))
  const [best] = passages
  const around = best ? await beside(db, best) : []
  return { passages: fitting([...passages, ...around].map(toPassage), ask.most), whole: false }
}

/** The ids of chunks by words and, where there are vectors, by meaning. */
export async function rank(db: Db, deps: KnowledgeDeps, { assistantId, question }: Omit<Ask, 'most'>) {
  const embedder = await findEmbedder(db, deps)
  const byWords = rankByWords(db, assistantId, question, CANDIDATES)
  if (!embedder) return byWords
  const byVectors = rankByVectors(db, deps, embedder, { assistantId, question, limit: CANDIDATES })
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

const { id: passageId, fileId, place, section, text, position, lead } = filePassages
const columns = { passageId, fileId, fileName: files.name, place, section, text, position, lead }

type Row = Passage & { position: number; lead: number }

const passages = (db: Db) => db.select(columns).from(filePassages).innerJoin(files, eq(files.id, fileId))
const toPassage = ({ position, lead, ...passage }: Row): Passage => passage
/** Without what it repeats of the chunk before. */
const ownText = (row: Row): Row => ({ ...row, text: row.text.slice(row.lead) })

async function everyChunk(db: Db, assistantId: string): Promise<Passage[]> {
  const rows = await passages(db).where(ready(assistantId)).orderBy(asc(files.createdAt), asc(files.id), asc(position))
  return rows.map(ownText).map(toPassage)
}

async function load(db: Db, assistantId: string, ids: string[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await passages(db).where(and(inArray(passageId, ids), ready(assistantId)))
  const known = new Map(rows.map((row) => [row.passageId, row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** The chunks before and after, in their order. */
const beside = (db: Db, row: Row): Promise<Row[]> =>
  passages(db)
    .where(and(eq(fileId, row.fileId), inArray(position, [row.position - 1, row.position + 1])))
    .orderBy(asc(position))

/** What an excerpt costs in a question: its text and the line over it. */
export const passageSymbols = (passage: Passage) => countSymbols(headOf(passage)) + countSymbols(passage.text) + 2

function fitting(passages: Passage[], most: number): Passage[] {
  const chosen = new Map<string, Passage>()
  let left = most
  for (const passage of passages) {
    const symbols = passageSymbols(passage)
    if (chosen.has(passage.passageId) || symbols > left) continue
    chosen.set(passage.passageId, passage)
    left -= symbols
  }
  return [...chosen.values()]
}

/** The passage behind a citation, with what stands before and after it in the file. */
export async function readPassage({ db, user }: Ctx, id: string): Promise<PassageAt> {
  const [row] = await passages(db).where(and(eq(passageId, id), eq(files.userId, user.id)))
  if (!row) throw notFound('Такого отрывка нет: возможно, файл удалён или прочитан заново.')
  const around = await beside(db, row)
  const before = around.find((passage) => passage.position < row.position)
  const after = around.find((passage) => passage.position > row.position)
  return {
    ...toPassage(row),
    before: before ? withoutTail(before.text, row.text.slice(0, row.lead)) : null,
    after: after ? ownText(after).text : null,
  }
}

/** What stands before a passage, without the words with which the passage itself begins. */
function withoutTail(text: string, repeated: string): string {
  const tail = repeated.trimEnd()
  return tail !== '' && text.endsWith(tail) ? text.slice(0, -tail.length).trimEnd() : text
}
