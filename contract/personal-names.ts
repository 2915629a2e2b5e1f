import { foldWord, formsOf } from './name-forms.ts'

/** Finds the names of a person's own list in a text. */

interface NameMatch {
  kind: 'name'
  start: number
  end: number
  /** The same for all spellings of one name. */
  value: string
  /** The name as its owner has written it into the list. */
  usual: string
}

/** A set of names: the bit n stands for the name n of the list. */
type Names = bigint

export interface NameIndex {
  /** For each form of a word: the names that have it as their first word, as their second, and so on. */
  byForm: Map<string, Names[]>
  /** The names that end with their first word, with their second, and so on. */
  byLength: Names[]
  capital: Names
  /** The name of a single bit, as its owner has written it. */
  usual: Map<Names, string>
}

/** With the lookbehind a search that starts inside a word skips the rest of it. */
const WORD = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+/gu
const NAME_GAP = /^[\s\u00A0.-]{1,3}$/

export function indexNames(names: readonly string[]): NameIndex {
  const index: NameIndex = { byForm: new Map(), byLength: [], capital: 0n, usual: new Map() }
  for (const [n, name] of names.entries()) {
    const words = name.match(WORD) ?? []
    const bit = 1n << BigInt(n)
    index.usual.set(bit, name.trim())
    if (isCapital(name.trim())) index.capital |= bit
    for (const [position, word] of words.entries()) {
      for (const form of formsOf(word)) {
        const positions = index.byForm.get(form) ?? []
        positions[position] = (positions[position] ?? 0n) | bit
        index.byForm.set(form, positions)
      }
    }
    const last = words.length - 1
    if (last >= 0) index.byLength[last] = (index.byLength[last] ?? 0n) | bit
  }
  return index
}

/**
 * Of the names that begin with the same word the longest one is found. A name written with a capital does not mask the
 * common word: «Роман» leaves «роман».
 */
export function* findNames(text: string, names: NameIndex, from: number): Generator<NameMatch> {
  if (names.byForm.size === 0) return
  const words = wordsFrom(text, names, from)
  for (const [first, { start, word, positions }] of words.entries()) {
    let fitting = positions?.[0] ?? 0n
    if (fitting !== 0n && !isCapital(word)) fitting &= ~names.capital
    let found: Pick<NameMatch, 'end' | 'usual'> | null = null
    for (let at = 0; fitting !== 0n; at++) {
      const ended = fitting & (names.byLength[at] ?? 0n)
      if (ended !== 0n) found = { end: words[first + at]?.end ?? start, usual: names.usual.get(ended & -ended) ?? '' }
      const next = words[first + at + 1]
      fitting = next?.isJoined ? fitting & (next.positions?.[at + 1] ?? 0n) : 0n
    }
    if (found) yield { kind: 'name', start, ...found, value: foldWord(found.usual) }
  }
}

interface Word {
  word: string
  start: number
  end: number
  /** Which names have it, and where; undefined for most words. */
  positions: Names[] | undefined
  /** Only what may stand inside a name is between the word before and this one. */
  isJoined: boolean
}

function wordsFrom(text: string, { byForm }: NameIndex, from: number): Word[] {
  WORD.lastIndex = from
  let before = -1
  return [...text.matchAll(WORD)].map(({ 0: word, index: start }) => {
    const end = start + word.length
    const positions = byForm.get(foldWord(word))
    const isJoined = positions !== undefined && before >= 0 && NAME_GAP.test(text.slice(before, start))
    before = end
    return { word, start, end, positions, isJoined }
  })
}

const isCapital = (word: string) => /^\p{Lu}/u.test(word)
