import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * Replaced by spaces, because the parser of Postgres would keep addresses, tags and paths as one word:
 * «docs/plan.txt» must be found by «plan», «COVID-19» by «19».
 */
const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
export const SPACED = { from: `ёЁ${SIGNS}`, to: `еЕ${' '.repeat(SIGNS.length)}` }

/** Without a semicolon, at which the generator of migrations splits. */
const literal = (text: string) => sql.raw(`'${text.replaceAll("'", "''").replace(';', "' || chr(59) || '")}'`)

/** Written without parameters, because the index of titles has the same expression. */
export const titleWords = (title: SQL | AnyPgColumn): SQL =>
  sql`to_tsvector('russian', translate(${title}, ${literal(SPACED.from)}, ${literal(SPACED.to)}))`
