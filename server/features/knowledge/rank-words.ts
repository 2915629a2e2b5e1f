import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { type Term, termsOf } from './terms.ts'

/** The lexeme by which the index knows whose a chunk is. No word of a text has such a sign in it. */
export const ownerLexeme = (assistantId: string) => `@${assistantId}`

/** So many are weighed exactly; weighing takes the words of a chunk apart, and that is what costs. */
const WEIGHED = 100
/** What stands in a heading says more of a chunk than what stands in its text, and so does the name of the file. */
const PLACES = { section: 2, file: 1.5 }
/** The word itself, what means the same, what has the same root. */
const KINDS = { exact: 1, same: 0.6, begins: 0.45 }
/** How much the tenth mention adds to the first, and how much a long chunk is held against it. */
const [SATURATION, LENGTH] = [1.2, 0.4]
const USUAL_LENGTH = 1400

interface Group {
  /** Which term of the question. */
  term: number
  kind: keyof typeof KINDS
  /** Which words count, in the language of questions. */
  query: string
}

/** The chunks of an assistant's ready files that answer a question best by their words, the best first. */
export async function rankByWords(db: Db, assistantId: string, question: string, limit: number): Promise<string[]> {
  const terms = await termsOf(db, question)
  if (terms.length === 0) return []
  const groups = terms.flatMap((term, n) => groupsOf(term, n))
  const found = await findAny(db, assistantId, groups)
  if (found.passages.length === 0) return []
  const rarity = groups.map((_, n) => idf(found.total, found.holding.get(n) ?? 0))
  const words = await wordsIn(db, found.passages, terms)
  return words
    .map((passage) => ({ id: passage.id, score: scoreOf(passage, terms, groups, rarity) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id)
}

function groupsOf({ exact, same, begins }: Term, term: number): Group[] {
  const groups: Group[] = [
    { term, kind: 'exact', query: anyOf(exact) },
    { term, kind: 'same', query: anyOf(same) },
    { term, kind: 'begins', query: anyOf(begins, ':*') },
  ]
  return groups.filter(({ query }) => query !== '')
}

const anyOf = (stems: string[], sign = '') => stems.map((stem) => `'${stem}'${sign}`).join(' | ')

const idf = (total: number, holding: number) => Math.log(1 + (total - holding + 0.5) / (holding + 0.5))

interface Found {
  /** All chunks there are. */
  total: number
  /** Group → how many chunks have a word of it. */
  holding: Map<number, number>
  passages: string[]
}

/**
 * The chunks with the rarest words of the question. Each group of words is one look into the index, which gives the
 * assistant's own chunks only; their words are not taken apart here.
 */
async function findAny(db: Db, assistantId: string, groups: Group[]): Promise<Found> {
  const owner = `'${ownerLexeme(assistantId).replaceAll("'", "''")}'`
  const asked = groups.map(({ term, query, kind }, no) => ({
    ...{ no, term, weight: KINDS[kind] },
    query: `${owner} & (${query})`,
  }))
  const { rows } = (await db.execute(sql`
    with asked as (
      select no, term, weight, query::tsquery as query
      from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb)
        as asked (no int, term int, weight float8, query text)
    ), ready as materialized (
      select id from files where assistant_id = ${assistantId} and state = 'ready'
    ), total as (
      select count(*)::float8 as chunks from file_chunks where file_id in (select id from ready)
    ), hits as materialized (
      select asked.no, asked.term, asked.weight, chunk.id
      from asked join file_chunks chunk on chunk.search @@ asked.query
      where chunk.file_id in (select id from ready)
    ), holding as (
      select no, count(*)::float8 as chunks from hits group by no
    ), weighed as (
      select hits.id, hits.term,
        max(hits.weight * ln(1 + (total.chunks - holding.chunks + 0.5) / (holding.chunks + 0.5))) as score
      from hits join holding using (no) cross join total
      group by hits.id, hits.term
    ), best as (
      select id from weighed group by id order by sum(score) desc, id limit ${WEIGHED}
    )
    select (select chunks from total) as total,
      (select jsonb_object_agg(no, chunks) from holding) as holding,
      (select jsonb_agg(id) from best) as chunks`)) as unknown as {
    rows: { total: number; holding: Record<string, number> | null; passages: string[] | null }[]
  }
  const row = rows[0]
  const holding = Object.entries(row?.holding ?? {}).map(([no, passages]): [number, number] => [Number(no), passages])
  return { total: row?.total ?? 0, holding: new Map(holding), passages: row?.passages ?? [] }
}

interface PassageWords {
  id: string
  length: number
  /** Stem → how often, with more for better places. */
  words: Record<string, number>
}

async function wordsIn(db: Db, ids: string[], terms: Term[]): Promise<PassageWords[]> {
  const stems = terms.flatMap(({ exact, same }) => [...exact, ...same])
  const begins = terms.flatMap((term) => term.begins)
  const { rows } = (await db.execute(sql`
    select chunk.id, length(chunk.text) as length, found.words
    from file_chunks chunk cross join lateral (
      select jsonb_object_agg(lexeme, (
        select sum(case place when 'A' then ${PLACES.section}::float8 when 'B' then ${PLACES.file}::float8 else 1 end)
        from unnest(weights) as place
      )) as words
      from unnest(chunk.search) as word
      where lexeme = any(${sql.param(stems)}::text[])
        or exists (select from unnest(${sql.param(begins)}::text[]) as root where starts_with(lexeme, root))
    ) as found
    where chunk.id = any(${sql.param(ids)}::text[])`)) as unknown as {
    rows: { id: string; length: number; words: Record<string, number> | null }[]
  }
  return rows.map((row) => ({ ...row, words: row.words ?? {} }))
}

/** BM25 by terms; a term counts by its best group. What holds more of the question is worth more than its words. */
function scoreOf(passage: PassageWords, terms: Term[], groups: Group[], rarity: number[]): number {
  const long = 1 - LENGTH + LENGTH * (passage.length / USUAL_LENGTH)
  const worth = (count: number) => (count * (SATURATION + 1)) / (count + SATURATION * long)
  const best = terms.map(() => ({ score: 0, covered: 0, possible: 0 }))
  groups.forEach(({ term, kind }, no) => {
    const [own, of] = [terms[term], best[term]]
    if (!own || !of) return
    const weight = KINDS[kind] * (rarity[no] ?? 0)
    const count = countOf(passage, own, kind)
    of.possible = Math.max(of.possible, weight)
    if (count > 0) of.covered = Math.max(of.covered, weight)
    if (count > 0) of.score = Math.max(of.score, weight * worth(count))
  })
  const sum = (part: keyof (typeof best)[number]) => best.reduce((total, term) => total + term[part], 0)
  return sum('score') * (0.5 + (0.5 * sum('covered')) / (sum('possible') || 1))
}

function countOf({ words }: PassageWords, term: Term, kind: Group['kind']): number {
  const fits = (stem: string) =>
    kind === 'begins' ? term.begins.some((root) => stem.startsWith(root)) : term[kind].includes(stem)
  return Object.entries(words).reduce((sum, [stem, often]) => (fits(stem) ? sum + often : sum), 0)
}
