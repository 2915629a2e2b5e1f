import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { fold, formsOf } from '../search/words.ts'
import { isQuestionWord, numeralOf, synonymGroups } from './synonyms.ts'

/** A word of a question, as stems of the index. */
export interface Term {
  /** The word itself in all its forms. */
  exact: string[]
  /** Synonyms. */
  same: string[]
  /** Beginnings of words of the same root. */
  begins: string[]
}

const MAX_WORDS = 40
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const MIN_ROOT = 5

/** The content words of a question. The database stems them with the same dictionary as the texts. */
export async function termsOf(db: Db, question: string): Promise<Term[]> {
  const all = [...new Set(fold(question.normalize('NFC')).match(WORD) ?? [])]
  const content = all.filter((word) => !isQuestionWord(word))
  const words = (content.length > 0 ? content : all).slice(0, MAX_WORDS)
  const allForms = words.map((word) => [...formsOf(word), numeralOf(word) ?? word])
  const [stems, synonyms] = await Promise.all([stemsOf(db, allForms.flat()), loadSynonyms(db)])
  const terms = allForms.map((forms): Term => {
    const exact = unique(forms.flatMap((form) => stems.get(form) ?? []))
    const same = unique(exact.flatMap((stem) => synonyms.get(stem) ?? [])).filter((stem) => !exact.includes(stem))
    return { exact, same, begins: unique(exact.map(rootOf).filter((root) => root !== null)) }
  })
  return terms.filter(({ exact }) => exact.length > 0)
}

/** Stem → stems of its synonyms. The dictionary is constant, so it is stemmed once. */
let synonyms: Map<string, string[]> | null = null

async function loadSynonyms(db: Db): Promise<Map<string, string[]>> {
  if (synonyms) return synonyms
  const stems = await stemsOf(
    db,
    synonymGroups.flatMap(({ word, same }) => [word, ...same]),
  )
  const found = new Map<string, string[]>()
  for (const { word, same } of synonymGroups) {
    const others = same.flatMap((other) => stems.get(other) ?? [])
    for (const stem of stems.get(word) ?? []) found.set(stem, [...(found.get(stem) ?? []), ...others])
  }
  synonyms = found
  return found
}

const unique = <Item>(items: Item[]) => [...new Set(items)]

/** «Поставк» and «постав» have one root. Null for stems with digits and for short ones. */
function rootOf(stem: string): string | null {
  if (/\d/.test(stem)) return null
  const length = Math.max(MIN_ROOT, Math.ceil(stem.length * 0.62))
  return length < stem.length || stem.length >= MIN_ROOT ? stem.slice(0, length) : null
}

async function stemsOf(db: Db, words: string[]): Promise<Map<string, string[]>> {
  const { rows } = (await db.execute(sql`
    select word, tsvector_to_array(to_tsvector('russian', word)) as stems
    from unnest(${sql.param(unique(words))}::text[]) as word`)) as unknown as {
    rows: { word: string; stems: string[] }[]
  }
  return new Map(rows.map(({ word, stems }) => [word, stems.filter(isPlain)]))
}

/** Anything else would need quoting in a tsquery. */
const isPlain = (stem: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(stem)
