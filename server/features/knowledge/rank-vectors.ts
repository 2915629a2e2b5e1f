import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { MAX_TEXT } from './allowance.ts'
import type { Embedder, KnowledgeDeps } from './deps.ts'

/** The user waits for this. Words alone find nearly as much, so it is short. */
const TIMEOUT_MS = 5000

/** Ids of passages, nearest first; empty when the provider does not answer in time. */
export async function rankByVectors(
  db: Db,
  { log }: Pick<KnowledgeDeps, 'log'>,
  embedder: Embedder,
  ask: { assistantId: string; question: string; limit: number },
): Promise<string[]> {
  try {
    const [vector] = await embedder.embed([ask.question.slice(0, MAX_TEXT)], AbortSignal.timeout(TIMEOUT_MS))
    return vector ? await nearest(db, embedder.name, vector, ask) : []
  } catch (error) {
    log.warn({ err: error }, 'knowledge: question not embedded, searched by words alone')
    return []
  }
}

/** Compares all passages without an index: exact, and fast enough for the few thousand of one assistant. */
async function nearest(
  db: Db,
  embedder: string,
  vector: number[],
  { assistantId, limit }: { assistantId: string; limit: number },
): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select passage.id from file_chunks passage join files file on file.id = passage.file_id
    where passage.assistant_id = ${assistantId} and file.state = 'ready'
      and passage.embedder = ${embedder} and cardinality(passage.embedding) = ${vector.length}
    order by passage.embedding::vector <=> ${`[${vector.join(',')}]`}::vector, passage.id
    limit ${limit}`)) as unknown as { rows: { id: string }[] }
  return rows.map(({ id }) => id)
}
