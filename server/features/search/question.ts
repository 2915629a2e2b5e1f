import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { shapesOf, wordsOf } from './words.ts'

/** A shorter beginning would fit half of the dictionary. */
const MIN_BEGINNING = 3
/** Threads, and messages of each, whose words are known words: enough of what somebody writes about lately. */
const KNOWN = { threads: 40, messages: 6 }

/** A word of the query as the index has it. */
export interface Asked {
  /** The stems of its shapes; none for a word like «и», which is not indexed. */
  stems: string[]
  /** The stem it may be the beginning of: the last word is perhaps still being typed. */
  begins: string | null
}

/** What the database is asked, in its language. */
export interface Question {
  match: string
  /** The same without beginnings: whole words are the better ones. */
  exact: string
  /** Fits each single word that was looked for. */
  each: string
}

/** Asks the database how it would index the words, so that a query and a text are always read the same way. */
export async function askedWords(db: Db, query: string): Promise<Asked[]> {
  const words = wordsOf(query)
  const stems = await stemsOf(db, words.flatMap(shapesOf))
  const asked = words.map((word, i) => {
    const own = [...new Set(shapesOf(word).flatMap((shape) => stems.get(shape) ?? []))]
    const isOpen = i === words.length - 1 && word.length >= MIN_BEGINNING && (own.length > 0 || words.length === 1)
    return { stems: own, begins: isOpen ? (stems.get(word)?.[0] ?? word) : null }
  })
  return asked.filter(({ stems, begins }) => stems.length > 0 || begins !== null)
}

async function stemsOf(db: Db, words: string[]): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map()
  const { rows } = (await db.execute(sql`
    select word, tsvector_to_array(to_tsvector('russian', word)) as stems
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as word`)) as unknown as {
    rows: { word: string; stems: string[] }[]
  }
  return new Map(rows.map(({ word, stems }) => [word, stems.filter(isPlain)]))
}

/** Letters and digits are all that the language of questions takes without quoting. */
const isPlain = (stem: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(stem)

export const everyWord = (words: Asked[]) => question(words, ' & ')
export const anyWord = (words: Asked[]) => question(words, ' | ')

function question(words: Asked[], between: string): Question {
  const match = words.map(({ stems, begins }) => [...stems, ...(begins === null ? [] : [`${begins}:*`])])
  const exact = words.map(({ stems, begins }) => (stems.length > 0 || begins === null ? stems : [begins]))
  return { match: joined(match, between), exact: joined(exact, between), each: joined(match, ' | ') }
}

const joined = (groups: string[][], between: string) => groups.map((group) => `(${group.join(' | ')})`).join(between)

/** The stems of what somebody wrote lately and called threads: a word that is none of them may be a slip. */
export async function knownStems(db: Db, userId: string): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    with newest as (
      select id, search from threads
      where user_id = ${userId} and deleted_at is null and not archived
      order by pinned desc, updated_at desc limit ${KNOWN.threads}
    )
    select distinct lexeme from (
      select search from newest
      union all
      select m.search from newest cross join lateral (
        select search from messages where thread_id = newest.id and user_id = ${userId}
        order by created_at desc limit ${KNOWN.messages}
      ) m
    ) as own, unnest(search)
    where length(lexeme) > 2`)) as unknown as { rows: { lexeme: string }[] }
  return rows.map(({ lexeme }) => lexeme).filter(isPlain)
}
