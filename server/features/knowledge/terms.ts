import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { fold, formsOf } from '../search/words.ts'
import { isAsking, numeralOf, synonymGroups } from './synonyms.ts'

/** A word of a question, as the index has it. */
export interface Term {
  /** The word itself in all its shapes. */
  exact: string[]
  /** What means the same. */
  same: string[]
  /** Beginnings of words of the same root. */
  begins: string[]
}

const MAX_WORDS = 40
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const MIN_ROOT = 5

/** The words of a question that say what it is about. The database stems them, as it stems the texts. */
export async function termsOf(db: Db, question: string): Promise<Term[]> {
  const all = [...new Set(fold(question.normalize('NFC')).match(WORD) ?? [])]
  const telling = all.filter((word) => !isAsking(word))
  const words = (telling.length > 0 ? telling : all).slice(0, MAX_WORDS)
  const shapes = words.map((word) => [...formsOf(word), numeralOf(word) ?? word])
  const [stems, meanings] = await Promise.all([stemsOf(db, shapes.flat()), meaningsOf(db)])
  const terms = shapes.map((own): Term => {
    const exact = unique(own.flatMap((shape) => stems.get(shape) ?? []))
    const same = unique(exact.flatMap((stem) => meanings.get(stem) ?? [])).filter((stem) => !exact.includes(stem))
    return { exact, same, begins: unique(exact.map(rootOf).filter((root) => root !== null)) }
  })
  return terms.filter(({ exact }) => exact.length > 0)
}

/** Stem → stems of what means the same. The dictionary never changes, so it is stemmed once. */
let meanings: Map<string, string[]> | null = null

async function meaningsOf(db: Db): Promise<Map<string, string[]>> {
  if (meanings) return meanings
  const stems = await stemsOf(
    db,
    synonymGroups.flatMap(({ word, same }) => [word, ...same]),
  )
  const found = new Map<string, string[]>()
  for (const { word, same } of synonymGroups) {
    const others = same.flatMap((other) => stems.get(other) ?? [])
    for (const stem of stems.get(word) ?? []) found.set(stem, [...(found.get(stem) ?? []), ...others])
  }
  meanings = found
  return found
}

const unique = <Item>(items: Item[]) => [...new Set(items)]

/** «Поставк» and «постав» have one root; what is short or has digits in it stays as it is. */
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

/** Letters and digits are all that the language of questions takes without quoting. */
const isPlain = (stem: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(stem)
