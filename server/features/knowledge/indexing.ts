import { setImmediate as turn } from 'node:timers/promises'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { filePassages } from '#server/db/schema.ts'
import { searchVector } from '../search/text-query.ts'
import { addedWords, type Names, namesIn } from './abbreviations.ts'
import { clausesIn } from './clauses.ts'
import { findEmbedderFor, type KnowledgeDeps } from './deps.ts'
import { embedPaid } from './embedding.ts'
import { type PassageDraft, passagesIn, type TextWithPages } from './passages.ts'
import { ownerLexeme } from './rank.ts'
import { storeWords } from './stored-words.ts'

export interface Indexable extends TextWithPages {
  id: string
  libraryId: string
}

/** Small, because the embedded database blocks all requests while it indexes words. */
const BATCH = 5
/** The share of the progress bar for words; vectors take longer. */
const WORDS_PERCENT = 30

/**
 * Cuts a file into file_passages and indexes them by words and, if there is an embedding model, by vectors. When that model
 * fails, the file stays searchable by words and a job adds the vectors later.
 */
export async function indexFile(
  db: Db,
  deps: KnowledgeDeps,
  file: Indexable,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<void> {
  const embedder = await findEmbedderFor(db, deps, file.libraryId)
  const share = embedder ? WORDS_PERCENT : 100
  await storePassages(db, file, signal, (part) => onProgress(Math.floor(part * share)))
  if (!embedder) return
  try {
    const onPart = (part: number) => onProgress(Math.floor(share + part * (100 - share)))
    await embedPaid(db, deps, embedder, file.id, signal, onPart)
  } catch (error) {
    if (signal.aborted) throw error
    deps.log.warn({ err: error, fileId: file.id }, 'knowledge: file not embedded, searchable by words only')
  }
}

async function storePassages(db: Db, file: Indexable, signal: AbortSignal, onPart: (part: number) => void) {
  // An earlier try may have left passages that were cut differently.
  await db.delete(filePassages).where(eq(filePassages.fileId, file.id))
  const words = new Set<string>()
  const names = await namesIn(file.content, turn)
  let done = 0
  for (const batch of batchesOf(passagesIn(file))) {
    signal.throwIfAborted()
    const stored = await db
      .insert(filePassages)
      .values(batch.map((passage) => rowOf(file, names, passage)))
      .onConflictDoNothing()
      .returning({ words: sql<string[]>`tsvector_to_array(${filePassages.search})` })
    for (const word of stored.flatMap((row) => row.words)) words.add(word)
    done += batch.reduce((sum, { text, lead }) => sum + text.length - lead, 0)
    onPart(Math.min(1, done / file.content.length))
    // The embedded database runs in this thread: without a pause other requests would wait for the whole file.
    await turn()
  }
  await storeWords(db, file.id, words)
}

function* batchesOf(passages: Iterable<PassageDraft>): Generator<PassageDraft[]> {
  let batch: PassageDraft[] = []
  for (const passage of passages) {
    batch.push(passage)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const rowOf = (file: Indexable, names: Names, passage: PassageDraft) => ({
  ...passage,
  id: `${file.id}-${passage.position}`,
  fileId: file.id,
  libraryId: file.libraryId,
  search: searchOf(file, names, passage),
})

/** The words of the file name, the section and the text, their abbreviations, its clauses, and the library's lexeme. */
function searchOf({ libraryId, name }: Indexable, names: Names, { section, text }: PassageDraft): SQL {
  const added = addedWords(names, text).join(' ')
  // With places, because words without them are not counted; a clause stands where a heading does.
  const clauses = clausesIn(text).map((clause, at) => `'${clause}':${at + 1}A`)
  return sql`array_to_tsvector(array[${ownerLexeme(libraryId)}]::text[]) || ${clauses.join(' ')}::tsvector
    || setweight(${searchVector(name)}, 'B') || setweight(${searchVector(section ?? '')}, 'A') || ${searchVector(text)}
    || ${searchVector(added)}`
}
