import { type SQL, sql } from 'drizzle-orm'

/** Symbols of a message that are indexed. Postgres limits the size of a tsvector. */
export const MAX_SEARCHED = 200_000

/**
 * Replaced by spaces, because the parser of Postgres would keep addresses, tags and paths as one word:
 * «docs/plan.txt» must be found by «plan», «COVID-19» by «19».
 */
const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const [FROM, TO] = [`ёЁ${SIGNS}`, `еЕ${' '.repeat(SIGNS.length)}`]

/** The value of the `search` column for a text. Every write of a message must set it. */
export function searchVector(content: string | SQL): SQL {
  return sql`to_tsvector('russian', translate(left(${content}::text, ${MAX_SEARCHED}), ${FROM}, ${TO}))`
}
