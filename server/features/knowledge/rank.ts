import { setImmediate as turn } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { oneRowOf, rowsOf } from '#server/db/rows-of.ts'
import { storableText } from '#server/lib/storable.ts'
import type { Vector } from '#server/llm/embeddings.ts'
import { searchVector } from '../search/text-query.ts'
import { MAX_TEXT } from './allowance.ts'
import type { Embedder, KnowledgeDeps } from './deps.ts'
import { readVocabulary } from './stored-words.ts'
import type { Phrase } from './synonyms.ts'
import { type Asked, type Term, termsOf } from './terms.ts'
import { toVocabulary } from './vocabulary.ts'

/** The lexeme that marks the library of a passage in the index. Words of texts never contain «@». */
export const ownerLexeme = (libraryId: string) => `@${libraryId}`

/** How many passages are scored. Scoring unpacks every lexeme of a passage, which is the expensive step. */
const MAX_SCORED = 100
/** A mention in a heading or in the file name counts for so many mentions in the text. */
const FIELD_WEIGHTS = { section: 2, file: 1.5 }
/** The word itself, its probable spelling, a word of the same root, one with another prefix. */
const KIND_WEIGHTS = { exact: 1, fixed: 0.8, family: 0.5, kin: 0.3 }
/** BM25: how soon further mentions stop adding to the score. */
const K1 = 1.2
/** BM25: how much long passages are penalised. The usual 0.75 is for documents; passages have nearly one length. */
const B = 0.4
/** BM25: the average length, in symbols; see ENOUGH and MAX in passages.ts. */
const AVERAGE_LENGTH = 1400

/** What papers write for a word; less when the files have the word itself. */
const SYNONYM_WEIGHTS = { known: 0.55, unknown: 0.75 }

/** Words that count as one: any of them is a mention of the term. */
interface Group {
  /** The index of the term in the question. */
  term: number
  weight: number
  phrases: Phrase[]
}

/** Ids of passages in the library's ready files, those that match the words of the question best first. */
export async function rankByWords(db: Db, libraryId: string, asked: Asked, limit: number): Promise<string[]> {
  const terms = await termsOf(db, asked, await readVocabulary(db, libraryId))
  if (terms.length === 0) return []
  const groups = terms.flatMap((term, n) => groupsOf(term, n))
  const { passages, idf } = await selectCandidates(db, libraryId, groups)
  if (passages.length === 0) return []
  const candidates = await readWords(db, passages, groups)
  return weighFiles(candidates.map((passage) => ({ ...passage, score: scorePassage(passage, terms, groups, idf) })))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id)
}

/** So much of a score depends on how well the other passages of the file match. */
const FILE_SHARE = 0.1
const FILE_DEPTH = 5

/** A question is mostly about one file: of two similar passages the one among other matches is meant. */
function weighFiles<Scored extends { file: string; score: number }>(passages: Scored[]): Scored[] {
  const files = new Map<string, number>()
  const byScore = passages.toSorted((a, b) => b.score - a.score)
  for (const file of new Set(passages.map((passage) => passage.file))) {
    const best = byScore.filter((passage) => passage.file === file).slice(0, FILE_DEPTH)
    files.set(
      file,
      best.reduce((sum, { score }) => sum + score, 0),
    )
  }
  const most = Math.max(...files.values()) || 1
  return passages.map((passage) => {
    const share = (files.get(passage.file) ?? 0) / most
    return { ...passage, score: passage.score * (1 - FILE_SHARE + FILE_SHARE * share) }
  })
}

const kinds = Object.keys(KIND_WEIGHTS) as (keyof typeof KIND_WEIGHTS)[]

const groupsOf = (term: Term, n: number): Group[] => {
  const same = SYNONYM_WEIGHTS[term.isKnown ? 'known' : 'unknown']
  return [
    ...kinds.map((kind) => ({ weight: KIND_WEIGHTS[kind], phrases: term[kind].map((stem) => [stem]) })),
    // Each has a rarity of its own: «судно» is in every passage of a code where «воздушное судно» is in few.
    ...term.synonyms.map((phrase) => ({ weight: same, phrases: [phrase] })),
  ]
    .filter(({ phrases }) => phrases.length > 0)
    .map((group) => ({ term: n, phrases: group.phrases, weight: group.weight * term.weight }))
}

/** A tsquery that matches any phrase of the group. */
const queryOf = ({ phrases }: Group) =>
  phrases.map((phrase) => `(${phrase.map((stem) => `'${stem}'`).join(' & ')})`).join(' | ')

interface Candidates {
  passages: string[]
  /** Inverse document frequency per group, counted over the passages of this library. */
  idf: number[]
}

const CandidatesRow = z.object({
  idf: z.nullable(z.array(z.number())),
  passages: z.nullable(z.array(z.string())),
})

/**
 * Selects the passages with the rarest words of the question; scorePassage orders them. Each group is one index lookup,
 * and no passage is unpacked here: without «offset 0» the planner may read every passage for every group.
 */
async function selectCandidates(db: Db, libraryId: string, groups: Group[]): Promise<Candidates> {
  const owner = `'${ownerLexeme(libraryId).replaceAll("'", "''")}'`
  const queries = groups.map((group, no) => ({
    ...{ no, term: group.term, weight: group.weight },
    query: `${owner} & (${queryOf(group)})`,
  }))
  const { passages, idf } = await oneRowOf(
    db,
    sql`
    with queries as (
      select no, term, weight, query::tsquery as query
      from jsonb_to_recordset(${JSON.stringify(queries)}::text::jsonb)
        as queries (no int, term int, weight float8, query text)
    ), ready as materialized (
      select id from files where assistant_id = ${libraryId} and state = 'ready'
    ), total as (
      select count(*)::float8 as passages from file_passages where file_id in (select id from ready)
    ), hits as materialized (
      select queries.no, queries.term, queries.weight, passage.id
      from queries cross join lateral (
        select id, file_id from file_passages where search @@ queries.query offset 0
      ) as passage
      where passage.file_id in (select id from ready)
    ), holding as (
      select queries.no, count(hits.id)::float8 as passages from queries left join hits using (no) group by queries.no
    ), rarity as (
      select no, ln(1 + (total.passages - holding.passages + 0.5) / (holding.passages + 0.5)) as idf
      from holding cross join total
    ), matched as (
      select hits.id, hits.term, max(hits.weight * rarity.idf) as rarest
      from hits join rarity using (no)
      group by hits.id, hits.term
    ), selected as (
      select id from matched group by id order by sum(rarest) desc, id limit ${MAX_SCORED}
    )
    select (select jsonb_agg(idf order by no) from rarity) as idf,
      (select jsonb_agg(id) from selected) as passages`,
    CandidatesRow,
  )
  return { passages: passages ?? [], idf: idf ?? [] }
}

const PassageRow = z.object({
  id: z.string(),
  file: z.string(),
  length: z.number(),
  // The words are not validated one by one, which would take milliseconds for hundreds of passages.
  words: z.nullable(z.custom<Record<string, number>>((value) => typeof value === 'object')),
})

interface PassageWords {
  id: string
  file: string
  length: number
  /** Stem → number of mentions, each multiplied by the weight of its field. */
  words: Record<string, number>
}

async function readWords(db: Db, ids: string[], groups: Group[]): Promise<PassageWords[]> {
  const rows = await rowsOf(
    db,
    sql`
    select passage.id, passage.file_id as file, length(passage.text) as length, found.words
    from file_passages passage cross join lateral (${wordsIn(sql`passage.search`, groups)}) as found
    where passage.id = any(${sql.param(ids)}::text[])`,
    PassageRow,
  )
  return rows.map((row) => ({ ...row, words: row.words ?? {} }))
}

/** The words of a vector, or those of the groups, each with the weighted number of its mentions. */
function wordsIn(vector: SQL, groups?: Group[]): SQL {
  const stems = groups && [...new Set(groups.flatMap(({ phrases }) => phrases.flat()))]
  const asked = stems ? sql`where lexeme = any(${sql.param(stems)}::text[])` : sql``
  return sql`
      select jsonb_object_agg(lexeme, (
        select sum(
          case field when 'A' then ${FIELD_WEIGHTS.section}::float8 when 'B' then ${FIELD_WEIGHTS.file}::float8 else 1 end
        ) from unnest(weights) as field
      )) as words
      from unnest(${vector}) as word
      ${asked}`
}

/** A text that is ranked without being stored. */
export interface LooseText {
  name: string
  section: string | null
  text: string
}

/** Small, because the embedded database blocks all requests while it splits texts into words. */
const LOOSE_BATCH = 10

/** Positions of the texts that match the words of the question, best first. */
export async function rankTexts(db: Db, question: string, texts: readonly LooseText[]): Promise<number[]> {
  if (texts.length === 0) return []
  const passages: PassageWords[] = []
  for (let at = 0; at < texts.length; at += LOOSE_BATCH) {
    passages.push(...(await wordsOfTexts(db, texts.slice(at, at + LOOSE_BATCH), at)))
    await turn()
  }
  const vocabulary = await toVocabulary(passages.flatMap(({ words }) => Object.keys(words)))
  const terms = await termsOf(db, { question }, vocabulary)
  const groups = terms.flatMap((term, n) => groupsOf(term, n))
  const holding = groups.map((group) => passages.filter((passage) => countMentions(passage, group) > 0).length)
  const idf = holding.map((count) => Math.log(1 + (passages.length - count + 0.5) / (count + 0.5)))
  return passages
    .map((passage) => ({ at: Number(passage.id), score: scorePassage(passage, terms, groups, idf) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ at }) => at)
}

async function wordsOfTexts(db: Db, texts: readonly LooseText[], from: number): Promise<PassageWords[]> {
  const rows = texts.map(({ name, section, text }, n) => ({
    id: String(from + n),
    name: storableText(name),
    section: storableText(section ?? ''),
    text: storableText(text),
  }))
  const vector = sql`setweight(${searchVector(sql`loose.name`)}, 'B') || setweight(${searchVector(sql`loose.section`)}, 'A')
    || ${searchVector(sql`loose.text`)}`
  const found = await rowsOf(
    db,
    sql`
    select loose.id, loose.name as file, length(loose.text) as length, found.words
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as loose (id text, name text, section text, text text)
    cross join lateral (${wordsIn(vector)}) as found`,
    PassageRow,
  )
  return found.map((row) => ({ ...row, words: row.words ?? {} }))
}

/**
 * BM25 of one word in one passage. With idf 2 and the average length, 1 mention gives 2 × 1 × 2.2 / (1 + 1.2) = 2,
 * 3 mentions 2 × 3 × 2.2 / (3 + 1.2) = 3.14. Twice the length: 2 × 3 × 2.2 / (3 + 1.2 × 1.4) = 2.82.
 */
export function bm25(idf: number, mentions: number, length: number): number {
  const lengthPenalty = 1 - B + B * (length / AVERAGE_LENGTH)
  return idf * ((mentions * (K1 + 1)) / (mentions + K1 * lengthPenalty))
}

/** The sum over the terms, each by its best group, reduced by up to a half for terms that the passage lacks. */
function scorePassage(passage: PassageWords, terms: Term[], groups: Group[], idf: number[]): number {
  const best = terms.map(() => ({ score: 0, covered: 0, possible: 0 }))
  groups.forEach((group, no) => {
    const of = best[group.term]
    if (!of) return
    const weight = group.weight * (idf[no] ?? 0)
    const mentions = countMentions(passage, group)
    of.possible = Math.max(of.possible, weight)
    if (mentions > 0) of.covered = Math.max(of.covered, weight)
    if (mentions > 0) of.score = Math.max(of.score, bm25(weight, mentions, passage.length))
  })
  const sum = (part: keyof (typeof best)[number]) => best.reduce((total, term) => total + term[part], 0)
  return sum('score') * (0.5 + (0.5 * sum('covered')) / (sum('possible') || 1))
}

const countMentions = ({ words }: PassageWords, { phrases }: Group): number =>
  phrases.reduce((sum, phrase) => sum + Math.min(...phrase.map((stem) => words[stem] ?? 0)), 0)

/** The user waits for this. Words alone find nearly as much, so it is short. */
const TIMEOUT_MS = 5000

/** Ids of passages, nearest first; empty when the provider does not answer in time. */
export async function rankByVectors(
  db: Db,
  { log }: Pick<KnowledgeDeps, 'log'>,
  embedder: Embedder,
  ask: { libraryId: string; question: string; limit: number },
): Promise<string[]> {
  try {
    const [vector] = await embedder.embed([ask.question.slice(0, MAX_TEXT)], AbortSignal.timeout(TIMEOUT_MS))
    return vector ? await nearest(db, embedder.name, vector, ask) : []
  } catch (error) {
    log.warn({ err: error }, 'knowledge: question not embedded, searched by words alone')
    return []
  }
}

const PassageId = z.object({ id: z.string() })

/** Compares all passages without an index: exact, and fast enough for the few thousand of one library. */
async function nearest(
  db: Db,
  embedder: string,
  vector: Vector,
  { libraryId, limit }: { libraryId: string; limit: number },
): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql`
    select passage.id from file_passages passage join files file on file.id = passage.file_id
    where passage.assistant_id = ${libraryId} and file.state = 'ready'
      and passage.embedder = ${embedder} and cardinality(passage.embedding) = ${vector.length}
    order by passage.embedding::vector <=> ${`[${vector.join(',')}]`}::vector, passage.id
    limit ${limit}`,
    PassageId,
  )
  return rows.map(({ id }) => id)
}
