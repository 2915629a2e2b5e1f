import { type SQL, sql } from 'drizzle-orm'

/** What is searched of a message. Of many more words than this holds the database could refuse to make an index. */
export const MAX_SEARCHED = 200_000

/**
 * Signs that the database would take for parts of addresses, tags, paths or negative numbers, and then keep whole:
 * «docs/plan.txt» must be found by «plan», «COVID-19» by «19».
 */
const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const [FROM, TO] = [`ёЁ${SIGNS}`, `еЕ${' '.repeat(SIGNS.length)}`]

/** The index of words of a text: whoever writes a message fills its column `search` with this. */
export function searchVector(content: string | SQL): SQL {
  return sql`to_tsvector('russian', translate(left(${content}::text, ${MAX_SEARCHED}), ${FROM}, ${TO}))`
}
