import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { HelpSearchResult } from '#contract/help.ts'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import type { Part } from './markdown.ts'
import type { HelpText } from './pages.ts'

const MAX_WORDS = 12
/** Shorter words are matched whole: as a prefix they would match too many words. */
const MIN_PREFIX = 4

/** Nouns whose stem changes between forms; the stemmer of Postgres only removes endings. */
const stemVariants: [sign: RegExp, twin: string][] = [
  [/^деньг.*/, 'денег'],
  [/^денег$/, 'деньг'],
  [/^письм.*/, 'писем'],
  [/^писем$/, 'письм'],
  [/(?<=[бвгджзлмнпрстфхцчшщ])к(?:а|и|у|е|ой|ам|ами|ах)$/, 'ок'],
  [/(?<=[бвгджзлмнпрстфхцчшщ])ок$/, 'к'],
]

/** The query as tsquery terms: each word with its other forms, matched as a prefix. */
export function searchWords(query: string): string[] {
  const words = withoutYo(query.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(0, MAX_WORDS).map((word) => `(${formsOf(word).map(asPrefix).join(' | ')})`)
}

function formsOf(word: string): string[] {
  const [sign, twin = ''] = stemVariants.find(([ending]) => ending.test(word)) ?? []
  if (sign) return [word, word.replace(sign, twin)]
  // Imperatives such as «проверьте» and «скачайте» are frequent in pages and queries.
  return [word.replace(/(?<=..)[ьй]те$/, '')]
}

function asPrefix(word: string): string {
  return word.length < MIN_PREFIX ? word : `${word}:*`
}

export function withoutYo(text: string): string {
  return text.replaceAll('ё', 'е').replaceAll('Ё', 'Е')
}

const MAX_FOUND = 10
/** If at least this many pages contain all the words, pages with only some of them are left out. */
const ENOUGH = 3
/** Marks around the matches. Control characters, because neither queries nor pages contain them. */
const [HIT, END] = ['\u0001', '\u0002']

interface SearchedPart {
  page: HelpText
  part: Part
  /** The text with «ё» replaced by «е». It has the same length, so offsets are valid in both. */
  body: string
}

/**
 * Pages that contain the words in any form, best first. The texts are sent along with the query, because Postgres
 * stems Russian; an index for a few dozen pages would have to be kept up to date with the files.
 */
export async function searchHelp(db: Db, pages: HelpText[], query: string): Promise<HelpSearchResult[]> {
  const words = searchWords(query)
  if (words.length === 0) return []
  const parts = pages.flatMap(searchedParts)
  const rows = await findParts(db, parts, words)
  const exact = rows.filter(({ every }) => every)
  return (exact.length < ENOUGH ? rows : exact).flatMap(({ at, headline }) => {
    const part = parts[at]
    return part ? [toFound(part, headline)] : []
  })
}

function searchedParts(page: HelpText): SearchedPart[] {
  return page.parts.map((part) => ({ page, part, body: withoutYo(textOf(page, part)) }))
}

/** The description is searched as part of the text before the first heading. */
function textOf(page: HelpText, part: Part): string {
  return part.heading ? part.text : `${page.description} ${part.text}`.trim()
}

const Row = z.object({ at: z.number(), every: z.boolean(), headline: z.string() })
type Row = z.infer<typeof Row>

async function findParts(db: Db, parts: SearchedPart[], words: string[]): Promise<Row[]> {
  const texts = parts.map(({ page, part, body }, at) => ({
    at,
    slug: page.slug,
    title: withoutYo(`${page.title} ${page.words}`),
    heading: withoutYo(part.heading?.text ?? ''),
    body,
  }))
  const options = `StartSel=${HIT}, StopSel=${END}, MaxWords=24, MinWords=12`
  const rows = await rowsOf(
    db,
    sql`
    with terms as (
      select to_tsquery('russian', ${words.join(' & ')}) as every_word, to_tsquery('russian', ${words.join(' | ')}) as any_word
    ), fitting as (
      select distinct on (slug) at, body, vector @@ every_word as every, ts_rank(vector, any_word) as rank
      from jsonb_to_recordset(${JSON.stringify(texts)}::text::jsonb)
        as place(at int, slug text, title text, heading text, body text)
      cross join terms
      cross join lateral (
        select setweight(to_tsvector('russian', title), 'A') || setweight(to_tsvector('russian', heading), 'B')
          || to_tsvector('russian', body) as vector
      ) as weighed
      where vector @@ any_word
      order by slug, every desc, rank desc, at
    )
    select at, every, ts_headline('russian', body, any_word, ${options}) as headline
    from fitting cross join terms
    order by every desc, rank desc, at
    limit ${MAX_FOUND}`,
    Row,
  )
  return rows
}

function toFound({ page, part, body }: SearchedPart, headline: string): HelpSearchResult {
  const { slug, title, forAdmins } = page
  const heading = part.heading && { id: part.heading.id, text: part.heading.text }
  return { slug, title, forAdmins, heading, fragment: cutFragment(textOf(page, part), body, headline) }
}

/** Maps the headline, which has «е» for «ё», back to the original text. */
function cutFragment(text: string, body: string, headline: string): HelpSearchResult['fragment'] {
  const plain = headline.replaceAll(HIT, '').replaceAll(END, '')
  let at = Math.max(body.indexOf(plain), 0)
  const [isLate, isCut] = [at > 0, at + plain.length < text.length]
  const fragment = headline
    .split(HIT)
    .flatMap((part, i) => {
      const [hit = '', rest] = part.split(END)
      return rest === undefined || i === 0
        ? [{ length: part.length, hit: false }]
        : [
            { length: hit.length, hit: true },
            { length: rest.length, hit: false },
          ]
    })
    .filter(({ length }) => length > 0)
    .map(({ length, hit }) => {
      at += length
      return { text: text.slice(at - length, at), hit }
    })
  const gap = { text: '…', hit: false }
  return [...(isLate ? [gap] : []), ...fragment, ...(isCut ? [gap] : [])]
}
