import type { Db } from '#server/db/client.ts'
import { contentLines } from '#server/lib/content.ts'
import { stemsOf } from '../search/text-query.ts'
import { fold } from '../search/words.ts'
import { toVocabulary, type Vocabulary } from './vocabulary.ts'

/** The stems of a word or of an expression: «воздушное судно» is a synonym where both words are. */
export type Phrase = string[]

export interface Synonyms {
  /** By the first stem of a phrase: its other stems, and the phrases that mean the same. */
  phrases: ReadonlyMap<string, { rest: Phrase; same: Phrase[] }[]>
  /** All stems, to correct a misspelt one that the files do not have. */
  words: Vocabulary
}

let stored: Promise<Synonyms> | null = null

/** The stems come from the database, which takes some milliseconds, so they are asked for once. */
export function readSynonyms(db: Db): Promise<Synonyms> {
  stored ??= toSynonyms(db, contentLines('search/everyday-words.txt')).catch((error: unknown) => {
    stored = null
    throw error
  })
  return stored
}

/** The phrases of an idea are separated by commas. */
export async function toSynonyms(db: Db, ideas: readonly string[]): Promise<Synonyms> {
  const lines = ideas.map((idea) =>
    fold(idea)
      .split(',')
      .map((phrase) => phrase.match(/\p{L}+/gu) ?? []),
  )
  const stems = await stemsOf(db, [...new Set(lines.flat(2))])
  const byStem = new Map<string, { rest: Phrase; same: Phrase[] }[]>()
  for (const line of lines) {
    const phrases = line.map((words) => words.flatMap((word) => stems.get(word) ?? []))
    for (const phrase of phrases) {
      const [first, ...rest] = phrase
      if (first === undefined) continue
      const same = phrases.filter((other) => other !== phrase && other.length > 0)
      byStem.set(first, [...(byStem.get(first) ?? []), { rest, same }])
    }
  }
  return { phrases: byStem, words: await toVocabulary([...stems.values()].flat()) }
}

/** What else is said for a word with these stems; an expression counts when the question has all its words. */
export function synonymsOf(
  { phrases: known }: Synonyms,
  stems: readonly string[],
  asked: ReadonlySet<string>,
): Phrase[] {
  const found = stems
    .flatMap((stem) => known.get(stem) ?? [])
    .filter(({ rest }) => rest.every((word) => asked.has(word)))
  const phrases = found.flatMap(({ same }) => same).filter((phrase) => !phrase.some((stem) => stems.includes(stem)))
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()]
}
