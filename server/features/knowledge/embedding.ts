import { setImmediate as turn } from 'node:timers/promises'
import { and, asc, eq, gt, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { filePassages, files } from '#server/db/schema.ts'
import { whileAway } from '#server/work/retry.ts'
import { giveBackEmbedding, MAX_TEXT, reserveEmbedding, reuseVectors, settleEmbedding } from './allowance.ts'
import { type Embedder, findEmbedder, type KnowledgeDeps } from './deps.ts'
import { headOf } from './passages.ts'

/** Far below what providers take at once (2048 texts, 300,000 tokens), so that progress is seen. */
const BATCH = { texts: 200, symbols: 150_000 }
/** Vectors stored by one statement: the embedded database answers nobody meanwhile. */
const STORED = 25
/** A run may take half an hour (see schedule.ts). */
const RUN_MS = 7 * 60_000

interface Text {
  id: string
  text: string
}

/** Gives every chunk of a file its vector. */
async function embedFile(
  db: Db,
  embedder: Embedder,
  fileId: string,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<void> {
  const missing = and(eq(filePassages.fileId, fileId), withoutVector(embedder))
  const all = await db.$count(filePassages, missing)
  for (let done = 0; ; ) {
    const texts = await textsOf(db, missing)
    if (texts.length === 0) return
    await embedTexts(db, embedder, texts, signal)
    done += texts.length
    onPart(Math.min(1, done / all))
  }
}

/**
 * The vectors of a file within what its owner has free or agreed to pay. A provider that fails costs nothing; a server
 * that stops leaves what is reserved to whoever goes on.
 */
export async function embedPaid(
  db: Db,
  deps: KnowledgeDeps,
  embedder: Embedder,
  fileId: string,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<void> {
  await reuseVectors(db, embedder, fileId)
  if ((await reserveEmbedding(db, deps, embedder, fileId)) !== 'go') return
  try {
    await embedFile(db, embedder, fileId, signal, onPart)
  } catch (error) {
    if (!signal.aborted) await whileAway(() => giveBackEmbedding(db, fileId))
    throw error
  }
  await whileAway(() => settleEmbedding(db, embedder, fileId))
}

/** Fills what a provider that failed, or a model that was changed, left without vectors: a job, one instance at a time. */
export async function embedMissing(db: Db, deps: KnowledgeDeps): Promise<void> {
  const embedder = await findEmbedder(db, deps)
  if (!embedder) return
  const until = Date.now() + RUN_MS
  const signal = AbortSignal.timeout(RUN_MS)
  // The owner of the installation has changed the model: that is no user's expense.
  while (Date.now() < until) {
    const stale = and(eq(files.state, 'ready'), isNotNull(filePassages.embedder), withoutVector(embedder))
    const texts = await textsOf(db, stale)
    if (texts.length === 0) break
    await embedTexts(db, embedder, texts, signal)
  }
  while (Date.now() < until) {
    const [next] = await db
      .select({ id: files.id })
      .from(files)
      .innerJoin(filePassages, eq(filePassages.fileId, files.id))
      .where(and(eq(files.state, 'ready'), isNull(files.price), isNull(filePassages.embedder)))
      .limit(1)
    if (!next) return
    await embedPaid(db, deps, embedder, next.id, signal, () => undefined)
  }
}

/** Said so that an index can answer. */
const withoutVector = ({ name }: Embedder) =>
  or(isNull(filePassages.embedder), lt(filePassages.embedder, name), gt(filePassages.embedder, name))

async function textsOf(db: Db, which: SQL | undefined): Promise<Text[]> {
  const { id, place, section, text } = filePassages
  const rows = await db
    .select({ id, place, section, text, fileName: files.name })
    .from(filePassages)
    .innerJoin(files, eq(files.id, filePassages.fileId))
    .where(which)
    .orderBy(asc(filePassages.fileId), asc(filePassages.position))
    .limit(BATCH.texts)
  let symbols = 0
  return rows
    .map((row) => ({ id: row.id, text: `${headOf(row)}\n\n${row.text}`.slice(0, MAX_TEXT) }))
    .filter(({ text }, n) => {
      symbols += text.length
      return n === 0 || symbols <= BATCH.symbols
    })
}

async function embedTexts(db: Db, { name, embed }: Embedder, texts: Text[], signal: AbortSignal): Promise<void> {
  const vectors = await embed(
    texts.map(({ text }) => text),
    signal,
  )
  const rows = texts.map(({ id }, n) => ({ id, vector: `{${vectors[n]?.join(',')}}` }))
  for (let at = 0; at < rows.length; at += STORED) {
    await db.execute(sql`
      update file_chunks set embedding = made.vector::real[], embedder = ${name}
      from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + STORED))}::text::jsonb) as made (id text, vector text)
      where file_chunks.id = made.id`)
    await turn()
  }
}
