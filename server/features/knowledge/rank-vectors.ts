import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { MAX_TEXT } from './allowance.ts'
import type { Embedder, KnowledgeDeps } from './deps.ts'

/** Whoever asks waits for this; words alone answer in the meantime nearly as well. */
const PATIENCE_MS = 5000

/** The chunks nearest in meaning, the nearest first; none when the provider does not answer in time. */
export async function rankByVectors(
  db: Db,
  { log }: Pick<KnowledgeDeps, 'log'>,
  embedder: Embedder,
  ask: { assistantId: string; question: string; limit: number },
): Promise<string[]> {
  try {
    const [vector] = await embedder.embed([ask.question.slice(0, MAX_TEXT)], AbortSignal.timeout(PATIENCE_MS))
    return vector ? await nearest(db, embedder.name, vector, ask) : []
  } catch (error) {
    log.warn({ err: error }, 'a question was not embedded: searched by words alone')
    return []
  }
}

/** An assistant has a few thousand chunks: all of them are compared, which is exact and quick enough. */
async function nearest(
  db: Db,
  embedder: string,
  vector: number[],
  { assistantId, limit }: { assistantId: string; limit: number },
): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select chunk.id from file_chunks chunk join files file on file.id = chunk.file_id
    where chunk.assistant_id = ${assistantId} and file.state = 'ready'
      and chunk.embedder = ${embedder} and cardinality(chunk.embedding) = ${vector.length}
    order by chunk.embedding::vector <=> ${`[${vector.join(',')}]`}::vector, chunk.id
    limit ${limit}`)) as unknown as { rows: { id: string }[] }
  return rows.map(({ id }) => id)
}
