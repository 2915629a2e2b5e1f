import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { SPACED } from '#server/db/title-words.ts'
import { formsOf, wordsOf } from './words.ts'

/** Symbols of a message that are indexed. Postgres limits the size of a tsvector. */
export const MAX_SEARCHED = 200_000

/** The value of the `search` column for a text. Every write of a message must set it. */
export function searchVector(content: string | SQL): SQL {
  return sql`to_tsvector('russian', translate(left(${content}::text, ${MAX_SEARCHED}), ${SPACED.from}, ${SPACED.to}))`
}

/** A shorter prefix would match too many words. */
const MIN_PREFIX = 3
/** The newest threads, and messages of each, that known words are read from. */
const KNOWN_WORDS_FROM = { threads: 40, messages: 6 }
const MAX_KNOWN_WORDS = 20_000

/** A word of the query as stems of the index. */
export interface QueryWord {
  /** The stems of all forms; none for a stop word such as «и». */
  stems: string[]
  /** Matched as a prefix: the last word may still be incomplete. */
  begins: string | null
}

export interface TextQuery {
  match: string
  /** Without prefixes, for the rank: whole words are better. */
  exact: string
  /** Matches any single word of the query, to mark it in a text. */
  each: string
}

/** Stems come from the database, so that queries and texts are stemmed the same way. */
export async function queryWords(db: Db, query: string): Promise<QueryWord[]> {
  const words = wordsOf(query)
  const stems = await stemsOf(db, words.flatMap(formsOf))
  const found = words.map((word, i) => {
    const wordStems = [...new Set(formsOf(word).flatMap((form) => stems.get(form) ?? []))]
    const isOpen = i === words.length - 1 && word.length >= MIN_PREFIX && (wordStems.length > 0 || words.length === 1)
    return { stems: wordStems, begins: isOpen ? (stems.get(word)?.[0] ?? word) : null }
  })
  return found.filter(({ stems, begins }) => stems.length > 0 || begins !== null)
}

const Lexeme = z.object({ lexeme: z.string() })
const WordStems = z.object({ word: z.string(), stems: z.array(z.string()) })

/** The stems of each word, made by the dictionary of the index; none for a stop word. */
export async function stemsOf(db: Db, words: string[]): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map()
  const rows = await rowsOf(
    db,
    sql`
    select word, tsvector_to_array(to_tsvector('russian', word)) as stems
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as word`,
    WordStems,
  )
  return new Map(rows.map(({ word, stems }) => [word, stems.filter(isPlain)]))
}

/** Only such stems can be used in a tsquery without quotes. */
const isPlain = (stem: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(stem)

export const everyWord = (words: QueryWord[]) => toTextQuery(words, ' & ')
export const anyWord = (words: QueryWord[]) => toTextQuery(words, ' | ')

function toTextQuery(words: QueryWord[], between: string): TextQuery {
  const match = words.map(({ stems, begins }) => [...stems, ...(begins === null ? [] : [`${begins}:*`])])
  const exact = words.map(({ stems, begins }) => (stems.length > 0 || begins === null ? stems : [begins]))
  return { match: joined(match, between), exact: joined(exact, between), each: joined(match, ' | ') }
}

const joined = (groups: string[][], between: string) => groups.map((group) => `(${group.join(' | ')})`).join(between)

/** Stems of the user's newest titles and messages. A query word that is not among them may be misspelt. */
export async function knownStems(db: Db, userId: string): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql`
    with newest as (
      select id, search from threads
      where user_id = ${userId} and deleted_at is null and not archived
      order by pinned desc, updated_at desc limit ${KNOWN_WORDS_FROM.threads}
    )
    select distinct lexeme from (
      select search from newest
      union all
      select m.search from newest cross join lateral (
        select search from messages where thread_id = newest.id and user_id = ${userId}
        order by created_at desc limit ${KNOWN_WORDS_FROM.messages}
      ) m
    ) as own, unnest(search)
    where length(lexeme) > 2
    limit ${MAX_KNOWN_WORDS}`,
    Lexeme,
  )
  return rows.map(({ lexeme }) => lexeme).filter(isPlain)
}
