import { setImmediate as turn } from 'node:timers/promises'
import { and, asc, eq, gt, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { filePassages, files } from '#server/db/schema.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { MAX_TEXT, releaseEmbedding, reserveEmbedding, reuseVectors, settleEmbedding } from './allowance.ts'
import { type Embedder, findEmbedder, isBoundElsewhere, type KnowledgeDeps } from './deps.ts'
import { passageHeading } from './passages.ts'
import { deleteOldSearchWords } from './search-words.ts'

/** Far below the limits of providers (2048 texts, 300,000 tokens), so that progress is visible. */
const BATCH = { texts: 200, symbols: 150_000 }
/** Vectors stored by one statement. The embedded database blocks all requests meanwhile. */
const STORE_BATCH = 25
/** The job may take half an hour. */
const RUN_MS = 7 * 60_000

export const knowledgeJobs = (db: Db, deps: KnowledgeDeps): Job[] => [
  { name: 'embed-missing', cron: '*/10 * * * *', run: () => embedMissing(db, deps), limitSeconds: 1800 },
  { name: 'forget-search-words', cron: '20 3 * * *', run: () => deleteOldSearchWords(db) },
]

interface Text {
  id: string
  text: string
}

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
 * Embeds a file within the free symbols of its owner or the price the owner agreed to. When the provider fails, nothing
 * is charged; when the server stops, the reservation stays for the process that continues.
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
    if (!signal.aborted) await retryWhileUnavailable(() => releaseEmbedding(db, fileId))
    throw error
  }
  await retryWhileUnavailable(() => settleEmbedding(db, embedder, fileId))
}

/** Adds vectors that are missing because a provider failed or the model was changed. */
export async function embedMissing(db: Db, deps: KnowledgeDeps): Promise<void> {
  const embedder = await findEmbedder(db, deps)
  if (!embedder) return
  const until = Date.now() + RUN_MS
  const signal = AbortSignal.timeout(RUN_MS)
  // An admin changed the model: users do not pay for the new vectors.
  while (Date.now() < until) {
    const stale = and(eq(files.state, 'ready'), isNotNull(filePassages.embedder), withoutVector(embedder))
    const texts = await textsOf(db, and(stale, mayBeEmbedded(embedder)))
    if (texts.length === 0) break
    await embedTexts(db, embedder, texts, signal)
  }
  while (Date.now() < until) {
    const [next] = await db
      .select({ id: files.id })
      .from(files)
      .innerJoin(filePassages, eq(filePassages.fileId, files.id))
      .where(and(eq(files.state, 'ready'), isNull(files.price), isNull(filePassages.embedder), mayBeEmbedded(embedder)))
      .limit(1)
    if (!next) return
    await embedPaid(db, deps, embedder, next.id, signal, () => undefined)
  }
}

/** Not `<>`: with `<` and `>` Postgres can use the index. */
const withoutVector = ({ name }: Embedder) =>
  or(isNull(filePassages.embedder), lt(filePassages.embedder, name), gt(filePassages.embedder, name))

/** Excludes passages of assistants and projects that are bound to another country. */
const mayBeEmbedded = (embedder: Embedder) => not(isBoundElsewhere(filePassages.libraryId, embedder))

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
    .map((row) => ({ id: row.id, text: `${passageHeading(row)}\n\n${row.text}`.slice(0, MAX_TEXT) }))
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
  for (let at = 0; at < rows.length; at += STORE_BATCH) {
    await db.execute(sql`
      update file_passages set embedding = made.vector::real[], embedder = ${name}
      from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + STORE_BATCH))}::text::jsonb) as made (id text, vector text)
      where file_passages.id = made.id`)
    await turn()
  }
}
