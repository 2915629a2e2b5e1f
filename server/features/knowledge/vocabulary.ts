import { setImmediate as turn } from 'node:timers/promises'
import { and, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { filePassages, files, fileWords } from '#server/db/schema.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { editDistance } from '../search/words.ts'
import { familyOf, isCompoundOf } from './families.ts'

/** The words of a library's ready files, as stems of the index, with what they are looked up by. */
export interface Vocabulary {
  words: ReadonlySet<string>
  roots: Lookup
  cores: Lookup
  /** By their first and last letters, as many as MIN_START and MIN_END. */
  starts: Lookup
  ends: Lookup
  /** By length, each with the set of its letters as bits. */
  lengths: ReadonlyMap<number, { word: string; letters: number }[]>
}

type Lookup = ReadonlyMap<string, string[]>

/** Vocabularies that this process remembers: reading one takes milliseconds, sorting its words into families tens. */
const MAX_REMEMBERED = 50
const remembered = new Map<string, Vocabulary>()

const Stamp = z.object({ file_id: z.string(), stamp: z.string() })
const Words = z.object({ words: z.custom<string[]>(Array.isArray) })

/** Of the files that are ready now. A file whose words are not stored yet adds none. */
export async function readVocabulary(db: Db, libraryId: string): Promise<Vocabulary> {
  const stamps = await rowsOf(
    db,
    sql`
    select file_id, file_words.stamp from file_words join files on files.id = file_id
    where files.assistant_id = ${libraryId} and files.state = 'ready' order by file_id`,
    Stamp,
  )
  const key = stamps.map(({ file_id, stamp }) => `${file_id} ${stamp}`).join()
  const known = remembered.get(key)
  if (known) {
    remembered.delete(key)
    remembered.set(key, known)
    return known
  }
  const ids = stamps.map(({ file_id }) => file_id)
  const rows = await rowsOf(db, sql`select words from file_words where file_id = any(${sql.param(ids)}::text[])`, Words)
  const vocabulary = await toVocabulary(rows.flatMap(({ words }) => words))
  remembered.set(key, vocabulary)
  const [oldest] = remembered.keys()
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return vocabulary
}

/** Sorting tens of thousands of words takes a while, so other requests are answered in between. */
export async function toVocabulary(list: readonly string[]): Promise<Vocabulary> {
  const pause = createPauses()
  const words = new Set(list)
  const [roots, cores, starts, ends] = [newLookup(), newLookup(), newLookup(), newLookup()]
  const lengths = new Map<number, { word: string; letters: number }[]>()
  for (const word of words) {
    await pause()
    add(lengths, word.length, { word, letters: lettersOf(word) })
    if (word.length >= MIN_START) add(starts, word.slice(0, MIN_START), word)
    if (word.length >= MIN_END) add(ends, word.slice(-MIN_END), word)
    const family = familyOf(word)
    if (family) add(roots, family.root, word)
    if (family?.core) add(cores, family.core, word)
  }
  return { words, roots, cores, starts, ends, lengths }
}

const newLookup = () => new Map<string, string[]>()

function add<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}

/** Replaces the stored words of a file. */
export async function storeWords(db: Db, fileId: string, words: Iterable<string>): Promise<void> {
  const row = { words: [...new Set(words)].filter(isKnownWord), stamp: sql<string>`gen_random_uuid()::text` }
  await db
    .insert(fileWords)
    .values({ fileId, ...row })
    .onConflictDoUpdate({ target: fileWords.fileId, set: row })
}

const PAGE = 50
/** The job runs again in ten minutes. */
const FILES_AT_ONCE = 20

/** Stores the words of files that were indexed by an earlier release. */
export async function storeMissingWords(db: Db): Promise<void> {
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .leftJoin(fileWords, eq(fileWords.fileId, files.id))
    .where(and(eq(files.state, 'ready'), isNotNull(files.libraryId), isNull(fileWords.fileId)))
    .limit(FILES_AT_ONCE)
  for (const { id } of rows) {
    const words = new Set<string>()
    for (let from = 0; ; from += PAGE) {
      const page = await db
        .select({ words: sql<string[]>`tsvector_to_array(${filePassages.search})` })
        .from(filePassages)
        .where(
          and(eq(filePassages.fileId, id), gte(filePassages.position, from), lt(filePassages.position, from + PAGE)),
        )
      if (page.length === 0) break
      for (const word of page.flatMap((row) => row.words)) words.add(word)
      await turn()
    }
    await storeWords(db, id, words)
  }
}

/** Longer ones are numbers, addresses and codes, which nobody misspells. */
const MAX_WORD = 32
const isKnownWord = (word: string) => word.length > 1 && word.length <= MAX_WORD && /^\p{L}+$/u.test(word)

/** Larger families come from a root that is too short to mean anything. */
const MAX_FAMILY = 40

/** Words of the same root, without the given stems. */
export const relativesOf = ({ roots }: Vocabulary, stems: readonly string[]) =>
  familiesOf(stems, (stem) => roots.get(familyOf(stem)?.root ?? ''))

/** Words of the same root with another prefix, words that begin alike, and compounds; without the given stems. */
export function distantRelativesOf({ cores, starts, ends }: Vocabulary, stems: readonly string[]): string[] {
  const kin = familiesOf(stems, (stem) => cores.get(familyOf(stem)?.core ?? ''))
  const alike = stems.flatMap((stem) => {
    if (/\d/.test(stem)) return []
    const begins = (starts.get(stem.slice(0, MIN_START)) ?? []).filter((word) => word.startsWith(startOf(stem)))
    return [...begins, ...(ends.get(stem.slice(-MIN_END)) ?? []).filter((word) => isCompoundOf(word, stem))]
  })
  return [...new Set([...kin, ...alike.slice(0, MAX_FAMILY)])].filter((word) => !stems.includes(word))
}

const MIN_START = 5
const MIN_END = 4
/** «Поставк» and «постав» begin alike. */
const startOf = (stem: string) => stem.slice(0, Math.max(MIN_START, Math.ceil(stem.length * 0.62)))

function familiesOf(stems: readonly string[], find: (stem: string) => string[] | undefined): string[] {
  const families = stems.flatMap((stem) => {
    const family = find(stem) ?? []
    return family.length > MAX_FAMILY ? [] : family
  })
  return [...new Set(families)].filter((word) => !stems.includes(word))
}

const MAX_CORRECTIONS = 3
const MAX_COMPARED = 500

/** The nearest known words to one that the files do not have; one mistake, in a long word two. */
export function correctionsOf({ lengths }: Vocabulary, word: string): string[] {
  const most = word.length < 4 || word.length > MAX_WORD ? 0 : word.length < 7 ? 1 : 2
  if (most === 0) return []
  const letters = lettersOf(word)
  const sizes = Array.from({ length: 2 * most + 1 }, (_, n) => word.length - most + n)
  const near = sizes
    .flatMap((size) => lengths.get(size) ?? [])
    // A mistake changes at most two letters of the set: one goes, another comes.
    .filter((known) => bitsOf(known.letters ^ letters) <= 2 * most && beginsAlike(word, known.word))
    .slice(0, MAX_COMPARED)
    .map((known) => ({ word: known.word, far: editDistance(word, known.word, most) }))
    .filter(({ far }) => far <= most)
  const best = Math.min(...near.map(({ far }) => far))
  return near
    .filter(({ far }) => far === best)
    .map((known) => known.word)
    .slice(0, MAX_CORRECTIONS)
}

/** A slip is rarely at the beginning: another first letter and another word is usually meant. */
const beginsAlike = (a: string, b: string) => a.charAt(0) === b.charAt(0) || a.slice(1, 4) === b.slice(1, 4)

/** The letters of a word as bits; letters of other alphabets share the bits. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

function bitsOf(value: number): number {
  let count = 0
  for (let rest = value >>> 0; rest !== 0; rest &= rest - 1) count++
  return count
}
