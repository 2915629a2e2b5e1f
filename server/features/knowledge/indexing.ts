import { setImmediate as turn } from 'node:timers/promises'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { fileChunks } from '#server/db/schema.ts'
import { searchVector } from '../search/vector.ts'
import { type Chunk, type Cuttable, chunksIn } from './chunks.ts'
import { embedPaid } from './embedding.ts'
import { ownerLexeme } from './rank-words.ts'
import { findEmbedder, type KnowledgeWorld } from './world.ts'

export interface Indexable extends Cuttable {
  id: string
  assistantId: string
}

/** The embedded database answers nobody while it indexes words: little at a time. */
const BATCH = 5
/** Words are quick, vectors are not. */
const WORDS_PERCENT = 30

/**
 * Makes a file findable: its chunks by their words, and by their meaning if there is a model for that. A model that
 * fails leaves the file findable by words; the job fills its vectors later.
 */
export async function indexFile(
  db: Db,
  world: KnowledgeWorld,
  file: Indexable,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<void> {
  const embedder = await findEmbedder(db, world)
  const share = embedder ? WORDS_PERCENT : 100
  await storeChunks(db, file, signal, (part) => onProgress(Math.floor(part * share)))
  if (!embedder) return
  try {
    const onPart = (part: number) => onProgress(Math.floor(share + part * (100 - share)))
    await embedPaid(db, world, embedder, file.id, signal, onPart)
  } catch (error) {
    if (signal.aborted) throw error
    world.log.warn({ err: error, fileId: file.id }, 'a file was not embedded: it is found by words for now')
  }
}

async function storeChunks(db: Db, file: Indexable, signal: AbortSignal, onPart: (part: number) => void) {
  // An earlier try may have left some, perhaps cut in another way.
  await db.delete(fileChunks).where(eq(fileChunks.fileId, file.id))
  let done = 0
  for (const batch of batchesOf(chunksIn(file))) {
    signal.throwIfAborted()
    await db
      .insert(fileChunks)
      .values(batch.map((chunk) => rowOf(file, chunk)))
      .onConflictDoNothing()
    done += batch.reduce((sum, { text, lead }) => sum + text.length - lead, 0)
    onPart(Math.min(1, done / file.content.length))
    // The embedded database answers without leaving the thread: others would wait until the whole file is in.
    await turn()
  }
}

function* batchesOf(chunks: Iterable<Chunk>): Generator<Chunk[]> {
  let batch: Chunk[] = []
  for (const chunk of chunks) {
    batch.push(chunk)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const rowOf = (file: Indexable, chunk: Chunk) => ({
  ...chunk,
  id: `${file.id}-${chunk.position}`,
  fileId: file.id,
  assistantId: file.assistantId,
  search: searchOf(file, chunk),
})

/** The words of a chunk, its section and its file, told apart by weights, and the mark of the assistant. */
function searchOf({ assistantId, name }: Indexable, { section, text }: Chunk): SQL {
  return sql`array_to_tsvector(array[${ownerLexeme(assistantId)}]::text[])
    || setweight(${searchVector(name)}, 'B') || setweight(${searchVector(section ?? '')}, 'A') || ${searchVector(text)}`
}
