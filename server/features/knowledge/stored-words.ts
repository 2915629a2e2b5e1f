import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { fileWords } from '#server/db/schema.ts'
import { createWeighedCache } from '#server/lib/weighed-cache.ts'
import { bytesOf, MAX_WORD, toVocabulary, type Vocabulary } from './vocabulary.ts'

/** A book has 30,000 different stems, all Russian texts of a person rarely 100,000; what comes later adds none. */
export const MAX_FILE_WORDS = 50_000
export const MAX_LIBRARY_WORDS = 200_000
/** Words that are read at once. */
const READ_WORDS = 100_000

/** Vocabularies that this process remembers: reading one takes milliseconds, sorting its words into families tens. */
const remembered = createWeighedCache<Vocabulary>({ most: 48 * 2 ** 20, ms: Number.POSITIVE_INFINITY })

const Stamp = z.object({ file_id: z.string(), stamp: z.string(), count: z.number() })
type Stamp = z.infer<typeof Stamp>
const Words = z.object({ words: z.custom<string[]>(Array.isArray) })

/** Of the files that are ready now. A file whose words are not stored yet adds none. */
export async function readVocabulary(db: Db, libraryId: string): Promise<Vocabulary> {
  const stamps = await rowsOf(
    db,
    sql`
    select file_id, file_words.stamp, cardinality(words) as count from file_words join files on files.id = file_id
    where files.assistant_id = ${libraryId} and files.state = 'ready' order by file_id`,
    Stamp,
  )
  const key = stamps.map(({ file_id, stamp }) => `${file_id} ${stamp}`).join()
  return remembered.get(key) ?? (await oneOfMany(stamps, () => makeVocabulary(db, key, stamps)))
}

async function makeVocabulary(db: Db, key: string, stamps: readonly Stamp[]): Promise<Vocabulary> {
  const known = remembered.get(key)
  if (known) return known
  const vocabulary = await toVocabulary(await readWords(db, stamps))
  remembered.set(key, vocabulary, bytesOf(vocabulary) + 2 * key.length)
  return vocabulary
}

async function readWords(db: Db, stamps: readonly Stamp[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const ids of readsOf(stamps)) {
    const rows = await rowsOf(
      db,
      sql`select words from file_words where file_id = any(${sql.param(ids)}::text[])`,
      Words,
    )
    for (const { words } of rows)
      for (const word of words) {
        if (found.size >= MAX_LIBRARY_WORDS) return found
        found.add(word)
      }
    await turn()
  }
  return found
}

/** Ids of files, so many at once as have READ_WORDS together. */
function* readsOf(stamps: readonly Stamp[]): Generator<string[]> {
  let [ids, words]: [string[], number] = [[], 0]
  for (const { file_id, count } of stamps) {
    if (ids.length > 0 && words + count > READ_WORDS) {
      yield ids
      ;[ids, words] = [[], 0]
    }
    ids.push(file_id)
    words += count
  }
  if (ids.length > 0) yield ids
}

/** Few libraries are so large; while one is read its words take ten times the memory, so they are read one by one. */
const MANY_WORDS = 50_000
let large: Promise<unknown> = Promise.resolve()

function oneOfMany<Result>(stamps: readonly Stamp[], make: () => Promise<Result>): Promise<Result> {
  if (stamps.reduce((sum, { count }) => sum + count, 0) <= MANY_WORDS) return make()
  const made = large.then(make)
  large = made.catch(() => undefined)
  return made
}

/** Replaces the stored words of a file. */
export async function storeWords(db: Db, fileId: string, words: Iterable<string>): Promise<void> {
  const known = [...new Set(words)].filter(isKnownWord).slice(0, MAX_FILE_WORDS)
  const row = { words: known, stamp: sql<string>`gen_random_uuid()::text` }
  await db
    .insert(fileWords)
    .values({ fileId, ...row })
    .onConflictDoUpdate({ target: fileWords.fileId, set: row })
}

const isKnownWord = (word: string) => word.length > 1 && word.length <= MAX_WORD && /^\p{L}+$/u.test(word)
