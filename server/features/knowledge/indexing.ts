import { setImmediate as turn } from 'node:timers/promises'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { filePassages } from '#server/db/schema.ts'
import { searchVector } from '../search/vector.ts'
import { findEmbedder, type KnowledgeDeps } from './deps.ts'
import { embedPaid } from './embedding.ts'
import { type Cuttable, type Passage, passagesIn } from './passages.ts'
import { ownerLexeme } from './rank-words.ts'

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
  deps: KnowledgeDeps,
  file: Indexable,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<void> {
  const embedder = await findEmbedder(db, deps)
  const share = embedder ? WORDS_PERCENT : 100
  await storeChunks(db, file, signal, (part) => onProgress(Math.floor(part * share)))
  if (!embedder) return
  try {
    const onPart = (part: number) => onProgress(Math.floor(share + part * (100 - share)))
    await embedPaid(db, deps, embedder, file.id, signal, onPart)
  } catch (error) {
    if (signal.aborted) throw error
    deps.log.warn({ err: error, fileId: file.id }, 'a file was not embedded: it is found by words for now')
  }
}

async function storeChunks(db: Db, file: Indexable, signal: AbortSignal, onPart: (part: number) => void) {
  // An earlier try may have left some, perhaps cut in another way.
  await db.delete(filePassages).where(eq(filePassages.fileId, file.id))
  let done = 0
  for (const batch of batchesOf(passagesIn(file))) {
    signal.throwIfAborted()
    await db
      .insert(filePassages)
      .values(batch.map((passage) => rowOf(file, passage)))
      .onConflictDoNothing()
    done += batch.reduce((sum, { text, lead }) => sum + text.length - lead, 0)
    onPart(Math.min(1, done / file.content.length))
    // The embedded database answers without leaving the thread: others would wait until the whole file is in.
    await turn()
  }
}

function* batchesOf(passages: Iterable<Passage>): Generator<Passage[]> {
  let batch: Passage[] = []
  for (const passage of passages) {
    batch.push(passage)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const rowOf = (file: Indexable, passage: Passage) => ({
  ...passage,
  id: `${file.id}-${passage.position}`,
  fileId: file.id,
  assistantId: file.assistantId,
  search: searchOf(file, passage),
})

/** The words of a chunk, its section and its file, told apart by weights, and the mark of the assistant. */
function searchOf({ assistantId, name }: Indexable, { section, text }: Passage): SQL {
  return sql`array_to_tsvector(array[${ownerLexeme(assistantId)}]::text[])
    || setweight(${searchVector(name)}, 'B') || setweight(${searchVector(section ?? '')}, 'A') || ${searchVector(text)}`
}
