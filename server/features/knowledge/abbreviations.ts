/**
 * Abbreviations by rule, from the text of one file: «дорожно-транспортное происшествие» is also found by «ДТП»,
 * «Государственная Дума» by «ГД» and «Госдума», and where a text defines «беспилотное воздушное судно (БВС)», a passage
 * with only «БВС» is found by the full name. The words are added to the index when a file is indexed.
 */
export interface Names {
  /** The key of a name (see keyOf) → the words it is abbreviated to. */
  short: ReadonlyMap<string, string[]>
  /** An abbreviation that the text defines → the full name. */
  full: ReadonlyMap<string, string>
}

const MAX_NAME_WORDS = 4
/** A group of words that is repeated so often is a name of something. */
const MIN_REPEATED = 3
const MAX_GROUPS = 50_000
const MAX_NAMES = 3000
const MAX_ADDED = 60
/** Names of a longer text are those of its beginning. */
const MAX_READ = 400_000
/** Other requests are answered after each part. */
const PART = 8000

interface Word {
  text: string
  key: string
  /** The first part of «дорожно-транспортное» is a word of its own here. */
  isJoined: boolean
  isAdjective: boolean
  isProper: boolean
  /** Can follow a noun that it belongs to: «оплаты труда». */
  isGenitive: boolean
}

interface Group {
  words: string[]
  count: number
  isProper: boolean
}

/** Collects the names of a text, with a pause after each part of it. */
export async function namesIn(text: string, pause: () => Promise<unknown>): Promise<Names> {
  const groups = new Map<string, Group>()
  for (let at = 0; at < Math.min(text.length, MAX_READ); at += PART) {
    for (const group of groupsIn(text.slice(at, at + PART))) {
      const key = keyOf(group)
      const known = groups.get(key)
      if (known) known.count += 1
      else if (groups.size < MAX_GROUPS)
        groups.set(key, { words: group.map((word) => word.text), count: 1, isProper: group.every(isProperWord) })
    }
    await pause()
  }
  const short = new Map<string, string[]>()
  for (const [key, { words, count, isProper }] of groups) {
    const abbreviations = count >= MIN_REPEATED || isProper ? abbreviationsOf(words, isProper) : []
    if (abbreviations.length > 0 && short.size < MAX_NAMES) short.set(key, abbreviations)
  }
  return { short, full: await definitionsIn(text.slice(0, MAX_READ), pause) }
}

/** The words that are added to the index of a passage. */
export function addedWords({ short, full }: Names, passage: string): string[] {
  const added = new Set<string>()
  if (short.size > 0)
    for (const group of groupsIn(passage)) for (const word of short.get(keyOf(group)) ?? []) added.add(word)
  if (full.size > 0)
    for (const [abbreviation] of passage.matchAll(ABBREVIATION)) {
      const name = full.get(abbreviation)
      if (name) added.add(name)
    }
  return [...added].slice(0, MAX_ADDED)
}

/**
 * Neighbouring words that can form a name: adjectives before a noun with nouns that belong to it («минимальный размер
 * оплаты труда»), or words that all begin with a capital.
 */
function* groupsIn(text: string): Generator<Word[]> {
  for (const [clause] of text.matchAll(/[^.,;:!?()«»"\n]+/g)) {
    const words = wordsIn(clause)
    for (let from = 0; from < words.length; from++) {
      for (let to = from + 1; to < Math.min(words.length, from + MAX_NAME_WORDS); to++) {
        const [before, last] = [words[to - 1], words[to]]
        if (!before || !(before.isJoined || before.isAdjective || before.isProper || last?.isGenitive)) break
        const group = words.slice(from, to + 1)
        if (isName(group)) yield group
      }
    }
  }
}

function wordsIn(clause: string): Word[] {
  return [...clause.matchAll(/\p{L}{3,40}(-?)/gu)].map(([match, hyphen]) => {
    const text = hyphen ? match.slice(0, -1) : match
    const key = withoutEnding(text.toLowerCase().replaceAll('ё', 'е'))
    return {
      ...{ text, key, isJoined: hyphen === '-', isProper: PROPER.test(text) },
      ...{ isAdjective: ADJECTIVE.test(text), isGenitive: GENITIVE.test(text) },
    }
  })
}

const endings = new Set(
  'ого его ому ему ыми ими ами ями ах ях ых их ов ев ом ем ам ям ым им а е и о у ы э ю я й ь'.split(' '),
)
const LONGEST_ENDING = 3
const MIN_STEM = 3

/** Without all endings in a row. One ending may be made of others (ами = ам + и), so a pattern would try each way. */
function withoutEnding(word: string): string {
  let stem = word.length
  /** Bit n: endings alone follow n letters further. */
  let starts = 1
  for (let at = stem - 1; at >= MIN_STEM && starts !== 0; at--) {
    starts = (starts << 1) & 0b1110
    for (let length = 1; length <= LONGEST_ENDING; length++)
      if (starts & (1 << length) && endings.has(word.slice(at, at + length))) {
        starts |= 1
        stem = at
        break
      }
  }
  return word.slice(0, stem)
}

const PROPER = /^\p{Lu}\p{Ll}/u
const isProperWord = ({ isProper }: Word) => isProper

/** Equal for all cases of a name. */
const keyOf = (group: readonly Word[]) => group.map(({ key }) => key).join(' ')

/** Cases of adjectives and participles. */
const ADJECTIVE = /(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ым|им|ом|ем|ую|юю|ых|их|ыми|ими|ей)$/

/** The second case of nouns. */
const GENITIVE = /(?:[аяыи]|ов|ев)$/

function isName(group: readonly Word[]): boolean {
  if (group.at(-1)?.isJoined) return false
  if (group.every(isProperWord)) return true
  const noun = group.findIndex(({ isJoined, isAdjective }) => !isJoined && !isAdjective)
  // «Охрана труда» is too ordinary to be abbreviated, «товарищество собственников жилья» is not.
  if (noun < 0 || (noun === 0 && group.length < 3)) return false
  return group.slice(noun + 1).every(({ isJoined, isAdjective, isGenitive }) => isGenitive && !isJoined && !isAdjective)
}

/** Initials, and the beginning of the first word with the last: «Гос-дума». */
function abbreviationsOf(words: readonly string[], isProper: boolean): string[] {
  const lower = words.map((word) => word.toLowerCase())
  const initials = lower.map((word) => word.charAt(0)).join('')
  // Two letters with a vowel are often a word of their own: «на», «то».
  const short = initials.length > 2 || isProper || !VOWEL.test(initials) ? [initials] : []
  const [first = '', last = ''] = [lower[0], lower.at(-1)]
  if (words.length !== 2) return short
  return [...short, ...syllablesOf(first).map((start) => start + last)]
}

const VOWEL = /[аеиоуыэюя]/

/** «Государственная» → «гос», «профессиональный» → «проф» and «професс», «коммунальный» → «ком» and «комм». */
function syllablesOf(word: string): string[] {
  const [, start = '', tail = ''] = /^([^аеиоуыэюя]*[аеиоуыэюя])([^аеиоуыэюя]+)[аеиоуыэюя]/.exec(word) ?? []
  if (start === '' || start.length + tail.length < 3) return []
  return [...new Set([start + tail.charAt(0), start + tail])].filter((syllable) => syllable.length >= 3)
}

const ABBREVIATION = /(?<!\p{L})\p{Lu}{2,8}(?!\p{L})/gu
/** «(БВС)» or «(далее — БВС)» after «беспилотное воздушное судно» */
const DEFINITION = /\((?:далее[^()]{0,15}?)?(\p{Lu}{2,8})\)/gu
const MAX_DEFINED = 200
/** Of one text. */
const MAX_DEFINITIONS = 5000
const DEFINITIONS_AT_ONCE = 200

async function definitionsIn(text: string, pause: () => Promise<unknown>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let read = 0
  for (const match of text.matchAll(DEFINITION)) {
    read += 1
    if (read > MAX_DEFINITIONS) break
    if (read % DEFINITIONS_AT_ONCE === 0) await pause()
    const abbreviation = match[1] ?? ''
    const words = text.slice(Math.max(0, match.index - MAX_DEFINED), match.index).match(/\p{L}+/gu) ?? []
    const name = words.slice(-abbreviation.length)
    const initials = name.map((word) => word.charAt(0).toUpperCase()).join('')
    if (initials === abbreviation) found.set(abbreviation, name.join(' '))
  }
  return found
}
