import { createPauses } from '#server/lib/pauses.ts'
import { editDistance } from '../search/words.ts'
import { familyOf, isCompoundOf } from './families.ts'

/**
 * The words of a library's ready files, as stems of the index, with what they are looked up by. All are in one string
 * and a few arrays: as objects a word takes 560 bytes, here 80, and a big library would fill the memory.
 */
export interface Vocabulary {
  text: string
  /** Where each word begins in the text, and the end of the last one. */
  from: Uint32Array
  words: Lookup
  roots: Lookup
  cores: Lookup
  /** By their first and last letters, as many as MIN_START and MIN_END. */
  starts: Lookup
  ends: Lookup
  lengths: ByLength
}

/** Words by the hash of a key: the first word of each hash, and for each word the next one. One is added to numbers. */
interface Lookup {
  first: Uint32Array
  next: Uint32Array
}

/** Numbers of the words of up to MAX_WORD letters, the shortest first, each with the set of its letters as bits. */
interface ByLength {
  numbers: Uint32Array
  letters: Uint32Array
  /** Where the words of each length begin. */
  from: Uint32Array
}

/** Longer ones are numbers, addresses and codes, which nobody misspells. */
export const MAX_WORD = 32
/** Words between two pauses. */
const PART = 100

/** Takes a while for tens of thousands of words, so other requests are answered in between. */
export async function toVocabulary(list: Iterable<string>): Promise<Vocabulary> {
  const pause = createPauses()
  const words = [...(await distinct(list, pause))]
  await pause()
  const vocabulary = emptyFor(words)
  await pause()
  const { from, words: all, roots, cores, starts, ends } = vocabulary
  // The last one first, so that a look-up finds them in the order of the list.
  for (let n = words.length - 1; n >= 0; n--) {
    if (n % PART === 0) await pause()
    const word = words[n] ?? ''
    add(all, word, n)
    if (word.length >= MIN_START) add(starts, word.slice(0, MIN_START), n)
    if (word.length >= MIN_END) add(ends, word.slice(-MIN_END), n)
    const family = familyOf(word)
    if (family) add(roots, family.root, n)
    if (family?.core) add(cores, family.core, n)
  }
  for (const [n, word] of words.entries()) from[n + 1] = (from[n] ?? 0) + word.length
  return { ...vocabulary, lengths: await byLength(words, pause) }
}

async function distinct(list: Iterable<string>, pause: () => Promise<void>): Promise<ReadonlySet<string>> {
  if (list instanceof Set) return list
  const words = new Set<string>()
  let read = 0
  for (const word of list) {
    words.add(word)
    read += 1
    if (read % PART === 0) await pause()
  }
  return words
}

function emptyFor(words: readonly string[]): Omit<Vocabulary, 'lengths'> {
  const size = words.length
  const lookup = () => ({ first: new Uint32Array(2 ** Math.ceil(Math.log2(size + 2))), next: new Uint32Array(size) })
  return {
    ...{ text: words.join(''), from: new Uint32Array(size + 1), words: lookup() },
    ...{ roots: lookup(), cores: lookup(), starts: lookup(), ends: lookup() },
  }
}

async function byLength(words: readonly string[], pause: () => Promise<void>): Promise<ByLength> {
  const from = new Uint32Array(MAX_WORD + 2)
  for (const { length } of words) if (length <= MAX_WORD) from[length + 1] = (from[length + 1] ?? 0) + 1
  for (let length = 1; length < from.length; length++) from[length] = (from[length] ?? 0) + (from[length - 1] ?? 0)
  const numbers = new Uint32Array(from.at(-1) ?? 0)
  const letters = new Uint32Array(numbers.length)
  const free = from.slice()
  for (const [n, word] of words.entries()) {
    if (n % PART === 0) await pause()
    const at = free[word.length]
    if (at === undefined || word.length > MAX_WORD) continue
    numbers[at] = n
    letters[at] = lettersOf(word)
    free[word.length] = at + 1
  }
  return { numbers, letters, from }
}

/** Nobody can make words of one hash without knowing it. */
const SEED = Math.floor(Math.random() * 2 ** 31)

function hashOf(key: string): number {
  let hash = SEED
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16777619)
  return (hash ^ (hash >>> 15)) >>> 0
}

function add({ first, next }: Lookup, key: string, n: number): void {
  const place = hashOf(key) & (first.length - 1)
  next[n] = first[place] ?? 0
  first[place] = n + 1
}

/** Words that may have a key; the caller compares. So many are looked at, whatever a library has. */
function* wordsAt({ text, from }: Vocabulary, { first, next }: Lookup, key: string, most: number): Generator<string> {
  let n = first[hashOf(key) & (first.length - 1)] ?? 0
  for (let seen = 0; n !== 0 && seen < most; seen++) {
    yield text.slice(from[n - 1], from[n])
    n = next[n - 1] ?? 0
  }
}

const MAX_SEEN = 5000

export function hasWord(vocabulary: Vocabulary, word: string): boolean {
  for (const known of wordsAt(vocabulary, vocabulary.words, word, MAX_SEEN)) if (known === word) return true
  return false
}

/** What a vocabulary takes in memory. */
export function bytesOf({ text, from, words, roots, cores, starts, ends, lengths }: Vocabulary): number {
  const lookups = [words, roots, cores, starts, ends].flatMap(({ first, next }) => [first, next])
  const arrays = [from, ...lookups, lengths.numbers, lengths.letters, lengths.from]
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 2 * text.length)
}

/** Larger families come from a root that is too short to mean anything. */
const MAX_FAMILY = 40

/** Words of the same root, without the given stems. */
export const relativesOf = (vocabulary: Vocabulary, stems: readonly string[]) =>
  familiesOf(vocabulary, stems, 'roots', 'root')

/** Words of the same root with another prefix, words that begin alike, and compounds; without the given stems. */
export function distantRelativesOf(vocabulary: Vocabulary, stems: readonly string[]): string[] {
  const kin = familiesOf(vocabulary, stems, 'cores', 'core')
  const alike = new Set<string>()
  for (const stem of stems) if (!/\d/.test(stem)) addAlike(vocabulary, stem, alike)
  return [...new Set([...kin, ...alike])].filter((word) => !stems.includes(word))
}

function addAlike(vocabulary: Vocabulary, stem: string, alike: Set<string>): void {
  const { starts, ends } = vocabulary
  if (stem.length >= MIN_START)
    for (const word of wordsAt(vocabulary, starts, stem.slice(0, MIN_START), MAX_SEEN))
      if (alike.size < MAX_FAMILY && word.startsWith(startOf(stem))) alike.add(word)
  for (const word of wordsAt(vocabulary, ends, stem.slice(-MIN_END), MAX_SEEN))
    if (alike.size < MAX_FAMILY && isCompoundOf(word, stem)) alike.add(word)
}

const MIN_START = 5
const MIN_END = 4
/** «Поставк» and «постав» begin alike. */
const startOf = (stem: string) => stem.slice(0, Math.max(MIN_START, Math.ceil(stem.length * 0.62)))

function familiesOf(
  vocabulary: Vocabulary,
  stems: readonly string[],
  lookup: 'roots' | 'cores',
  part: 'root' | 'core',
): string[] {
  const families = stems.flatMap((stem) => {
    const key = familyOf(stem)?.[part]
    if (!key) return []
    const family: string[] = []
    for (const word of wordsAt(vocabulary, vocabulary[lookup], key, MAX_SEEN)) {
      if (familyOf(word)?.[part] === key) family.push(word)
      if (family.length > MAX_FAMILY) return []
    }
    return family
  })
  return [...new Set(families)].filter((word) => !stems.includes(word))
}

const MAX_CORRECTIONS = 3
const MAX_COMPARED = 500

/** The nearest known words to one that the files do not have; one mistake, in a long word two. */
export function correctionsOf(vocabulary: Vocabulary, word: string): string[] {
  const most = word.length < 4 || word.length > MAX_WORD ? 0 : word.length < 7 ? 1 : 2
  if (most === 0) return []
  const near = similarTo(vocabulary, word, most)
    .map((known) => ({ word: known, far: editDistance(word, known, most) }))
    .filter(({ far }) => far <= most)
  const best = Math.min(...near.map(({ far }) => far))
  return near
    .filter(({ far }) => far === best)
    .map((known) => known.word)
    .slice(0, MAX_CORRECTIONS)
}

/** A mistake changes at most two letters of the set: one goes, another comes. */
function similarTo({ text, from, lengths }: Vocabulary, word: string, most: number): string[] {
  const letters = lettersOf(word)
  const found: string[] = []
  const end = lengths.from[Math.min(word.length + most, MAX_WORD) + 1] ?? 0
  for (let at = lengths.from[word.length - most] ?? 0; at < end && found.length < MAX_COMPARED; at++) {
    if (bitsOf((lengths.letters[at] ?? 0) ^ letters) > 2 * most) continue
    const n = lengths.numbers[at] ?? 0
    const known = text.slice(from[n], from[n + 1])
    if (beginsAlike(word, known)) found.push(known)
  }
  return found
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
  const pairs = value - ((value >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
