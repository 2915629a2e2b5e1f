import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { prompts } from '#server/db/schema.ts'
import { searchWords, withoutYo } from '#server/features/help/search.ts'

export interface Match {
  where: SQL
  /** Best match first. */
  order: SQL[]
}

/**
 * Matches words in any form, the last one as a prefix; titles rank above texts. Prompts with only some of the words
 * match when none in `scope` has all of them.
 */
export async function matchPrompts(db: Db, scope: SQL | undefined, query: string): Promise<Match> {
  const words = lastAsPrefix(searchWords(query))
  const every = matching(words.join(' & '), query)
  const [found] = await db.select({ one: sql`1` }).from(prompts).where(and(scope, every.where)).limit(1)
  return found || words.length < 2 ? every : matching(words.join(' | '), query)
}

/** The last word may still be incomplete. */
function lastAsPrefix(words: string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? word.replace(/(?<!\*)\)$/, ':*)') : word))
}

function matching(words: string, query: string): Match {
  const title = sql`translate(lower(${prompts.title}), 'ё', 'е')`
  const inTitle = sql`${title} like ${`%${likeLiteral(query)}%`}`
  if (words === '') return { where: inTitle, order: [sql`${prompts.uses} desc`] }
  const asked = sql`to_tsquery('russian', ${words})`
  return {
    where: sql`(${prompts.search} @@ ${asked} or ${inTitle})`,
    order: [sql`${inTitle} desc`, sql`ts_rank(${prompts.search}, ${asked}) desc`, sql`${prompts.uses} desc`],
  }
}

/** Escapes the wildcards of LIKE. */
export function likeLiteral(query: string): string {
  return withoutYo(query.trim().toLowerCase()).replace(/[\\%_]/g, '\\$&')
}
