import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Rating } from '#contract/ratings.ts'
import type { Citation, InputParts, MaskedCounts } from '#contract/threads.ts'
import type { WebUse } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import {
  type AnswerRun,
  messageChunks,
  messages,
  modelCalls,
  type thoughtChunks,
  webPassages,
} from '#server/db/schema.ts'
import { byVariant, preparedOnce, statement, type Value } from '#server/db/statement.ts'
import type { Ctx } from '#server/http/context.ts'
import { type Settlement, settlements, settlementValues } from '../billing/ledger.ts'
import { searchVector } from '../search/text-query.ts'
import {
  type MessageRow,
  messageColumns,
  noSuchMessage,
  ratingColumn,
  siblingsColumn,
} from '../threads/message-rows.ts'

/** Throws 404 unless it is the caller's own. */
export async function ownMessage({ db, user }: Ctx, threadId: string, id: string): Promise<MessageRow> {
  const [row] = await db
    .select(messageColumns)
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.threadId, threadId), eq(messages.userId, user.id)))
  if (!row) throw noSuchMessage()
  return row
}

export async function newestAnswer({ db, user }: Ctx, questionId: string): Promise<MessageRow | null> {
  const [row] = await db
    .select(messageColumns)
    .from(messages)
    .where(and(eq(messages.parentId, questionId), eq(messages.role, 'assistant'), eq(messages.userId, user.id)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
  return row ?? null
}

/** Stores the fallback model and its rates before it is called: recovery charges by them after a crash. */
export async function changeModel(
  db: Db,
  id: string,
  run: AnswerRun,
  modelId: string,
  masked: MaskedCounts | null = null,
): Promise<boolean> {
  const rows = await db
    .update(messages)
    .set({ run, modelId, masked })
    .where(isRun(id, run.hold))
    .returning({ id: messages.id })
  return rows.length > 0
}

/** Changes of a running answer after web pages were read. */
export interface StoredFindings {
  run: AnswerRun
  parts: InputParts
  citations: Citation[]
  web: WebUse | null
  passages: Omit<typeof webPassages.$inferInsert, 'messageId'>[]
  masked: MaskedCounts | null
}

/**
 * Stores the web pages before the model is called: recovery charges for them after a crash, and citations open them.
 * False if the run has ended or another one has replaced it.
 */
export function storeFindings(db: Db, id: string, findings: StoredFindings): Promise<boolean> {
  const { run, parts, citations, web, passages, masked } = findings
  return db.transaction(async (tx) => {
    const rows = await tx
      .update(messages)
      .set({ run, parts, citations: citations.length > 0 ? citations : null, web, masked })
      .where(isRun(id, run.hold))
      .returning({ id: messages.id })
    if (rows.length === 0) return false
    // Deletes rows of an earlier attempt whose acknowledgement was lost, or of an earlier run.
    await tx.delete(webPassages).where(eq(webPassages.messageId, id))
    if (passages.length > 0)
      await tx.insert(webPassages).values(passages.map((passage) => ({ ...passage, messageId: id })))
    return true
  })
}

/** Gives up a run: recovery ends the answer with the stored text and charges for it. */
export async function disown(db: Db, id: string, hold: string): Promise<void> {
  await db.update(messages).set({ instance: 'none' }).where(isRun(id, hold))
}

/**
 * Leaves a stop request for the process that writes an answer, if that process is alive. An answer of a crashed process
 * counts as interrupted, not as stopped by its owner, and stays free.
 */
export const requestStop = (db: Db, id: string): Promise<void> => requestStops(db, eq(messages.id, id))

export const requestStopsOf = (db: Db, userId: string): Promise<void> => requestStops(db, eq(messages.userId, userId))

async function requestStops(db: Db, which: SQL): Promise<void> {
  const isAlive = sql`(${messages.instance} is null or exists (select 1 from instances i where i.id = ${messages.instance}
    and i.ended_at is null and i.seen_at > clock_timestamp() - interval '3 seconds'))`
  await db
    .update(messages)
    .set({ stopRequested: true })
    .where(and(which, eq(messages.status, 'streaming'), eq(messages.stopRequested, false), isAlive))
}

/** The ids of a process's answers with a stop request. */
export async function stopRequests(db: Db, instance: string): Promise<string[]> {
  const rows = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.instance, instance), eq(messages.stopRequested, true), eq(messages.status, 'streaming')))
  return rows.map(({ id }) => id)
}

export type ChunkTable = 'message_chunks' | 'thought_chunks'

/** A part of an answer's text, between two lengths of the whole text. */
export interface Chunk {
  id: string
  /** The run that wrote it. */
  hold: string
  at: number
  upto: number
  text: string
}

/**
 * Appends text to running answers and returns the ids of those still owned by this run. The message row is locked while
 * its run is checked, so no text is added to an answer that another process has ended or continues.
 */
export async function storeChunks(db: Db, chunks: Chunk[], table: ChunkTable = 'message_chunks'): Promise<Set<string>> {
  const column = <Key extends keyof Chunk>(key: Key) => chunks.map((chunk) => chunk[key])
  const rows = await chunkStatements(table)(db, {
    ids: column('id'),
    holds: column('hold'),
    ats: column('at'),
    uptos: column('upto'),
    texts: column('text'),
  })
  return new Set(rows.map((row) => row.message_id))
}

const ChunkOwner = z.object({ message_id: z.string() })

const chunkStatements = byVariant((table: ChunkTable) =>
  statement(
    'chunks',
    (value: Value<'ids' | 'holds' | 'ats' | 'uptos' | 'texts'>) => sql`
    with written as (
      select * from unnest(${value('ids')}::text[], ${value('holds')}::text[], ${value('ats')}::int[],
        ${value('uptos')}::int[], ${value('texts')}::text[]) as w(id, hold, at, upto, text)
    ), owned as (
      select m.id from messages m join written w on w.id = m.id
      where m.status = 'streaming' and m.run->>'hold' = w.hold
      for share of m
    )
    insert into ${sql.identifier(table)} as chunk (message_id, at, upto, text)
    select w.id, w.at, w.upto, w.text from written w join owned on owned.id = w.id
    on conflict (message_id, at) do update set upto = excluded.upto, text = excluded.text
      where excluded.upto >= chunk.upto
    returning message_id`,
    ChunkOwner,
  ),
)

/** The stored chunks of a running answer that reach beyond a length. */
export function readChunks(
  db: Db,
  messageId: string,
  beyond = 0,
  table: typeof messageChunks | typeof thoughtChunks = messageChunks,
) {
  const { at, upto, text } = table
  return db
    .select({ at, upto, text })
    .from(table)
    .where(and(eq(table.messageId, messageId), sql`${upto} > ${beyond}`))
    .orderBy(asc(at))
}

export interface RunEnd extends Pick<MessageRow, 'content' | 'status' | 'modelId' | 'errorCode' | 'errorMessage'> {
  id: string
  firstTokenMs: number | null
  totalMs: number | null
  run: AnswerRun
  settle: Settlement
  /** Stopped before the first text, after the provider had been called. */
  isEarlyStop: boolean
  output: number
  /** `symbols` counts the thought of this run, shown or hidden. */
  thought?: { text: string; symbols: number; ms: number | null } | null
  cost: Partial<Pick<typeof modelCalls.$inferSelect, (typeof costNames)[number]>>
}

export type EndedRow = MessageRow & { runCharged: number | null; siblings: string[]; rating: Rating | null }

/**
 * Ends a run: text, status, charge and the row for statistics in one statement. Null if the run has already ended or
 * the message is gone.
 */
export async function endRun(db: Db, end: RunEnd): Promise<EndedRow | null> {
  const { id, run, settle, isEarlyStop, output, thought, cost, ...rest } = end
  const variant: EndVariant = {
    settle: settle.type,
    isEarlyStop,
    isFailed: end.status === 'failed',
    hasThought: thought != null,
  }
  const [row] = await endStatement(variant)(db).execute({
    ...{ id, output, hold: run.hold, input: run.input, ...rest, ...settlementValues(settle) },
    ...Object.fromEntries(costNames.map((name) => [name, cost[name] ?? null])),
    failure: variant.isFailed ? failureOf(end) : null,
    isFirst: run.isFirst ?? false,
    run: JSON.stringify(run),
    thought: thought?.text,
    thoughtMs: thought?.ms,
    thoughtSymbols: thought?.symbols,
  })
  return row ? { ...row, runCharged: row.runCharged === null ? null : Number(row.runCharged) } : null
}

/** Errors of models are told apart by their first sentence. */
const failureOf = ({ errorCode, errorMessage }: RunEnd) =>
  (errorCode === 'model_failed' ? errorMessage?.split('.')[0] : errorCode) ?? ''

const costNames = [
  ...(['inputTokens', 'outputTokens', 'thoughtTokens', 'cachedTokens'] as const),
  ...(['tokensGuessed', 'cost', 'costCurrency'] as const),
]

interface EndVariant {
  settle: Settlement['type']
  isEarlyStop: boolean
  isFailed: boolean
  hasThought: boolean
}

const value = (name: string) => sql`${sql.placeholder(name)}`
const valuesOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, SQL>

const endStatement = byVariant((variant: EndVariant, name) =>
  preparedOnce((db) => prepareEnd(db, variant, `answer_end_${name}`)),
)

const isStillRun = sql`m.id = ${value('id')} and m.status = 'streaming' and m.run->>'hold' = ${value('hold')}`

function prepareEnd(db: Db, { settle, isEarlyStop, isFailed, hasThought }: EndVariant, name: string) {
  const settled = db.$with('settled', { charged: sql<string>`charged` }).as(settlements[settle])
  const counted = db.$with('counted', { id: modelCalls.id }).as(countCall)
  const wasCharged = sql`settled.charged > 0`
  return db
    .with(settled, counted)
    .update(messages)
    .set({
      ...valuesOf(['content', 'status', 'modelId', 'errorCode', 'errorMessage']),
      cachedTokens: sql`coalesce(${value('cachedTokens')}, ${messages.cachedTokens})`,
      // The run of a failed and uncharged answer stays, as a record that it must not be charged.
      run: isFailed ? sql`case when ${wasCharged} then null else ${value('run')}::jsonb end` : null,
      earlyStop: isEarlyStop
        ? sql`jsonb_build_object('charged', coalesce(settled.charged, 0), 'free', settled.free_stop)`
        : null,
      instance: null,
      stopRequested: false,
      charged: sql`${messages.charged} + coalesce(settled.charged, 0)`,
      input: sql`${messages.input} + case when ${wasCharged} then ${value('input')}::bigint else 0 end`,
      output: sql`${messages.output} + case when ${wasCharged} then ${value('output')}::bigint else 0 end`,
      ...(hasThought && {
        ...valuesOf(['thought', 'thoughtMs']),
        thoughtSymbols: sql`${messages.thoughtSymbols} + ${value('thoughtSymbols')}::bigint`,
      }),
      search: searchVector(value('content')),
    })
    .from(settled)
    .where(
      and(
        eq(messages.id, sql.placeholder('id')),
        eq(messages.status, 'streaming'),
        sql`${messages.run}->>'hold' = ${value('hold')}`,
      ),
    )
    .returning({
      ...messageColumns,
      siblings: siblingsColumn,
      rating: ratingColumn,
      runCharged: sql<string | null>`settled.charged`,
      // A function: it sees chunks whose late statement the update has waited for; a part of this statement would not.
      deleted: sql`delete_chunks(${messages.id})`,
    })
    .prepare(name)
}

/** Once per run, because a hold is settled once. */
const countCall = sql`
    insert into model_calls (kind, user_hash, model_id, is_first_answer, status, failure, first_token_ms, total_ms,
      input_tokens, output_tokens, thought_tokens, cached_tokens, tokens_guessed, cost, cost_currency)
    select 'answer', stat_user_hash(m.user_id), coalesce(${value('modelId')}, ''), ${value('isFirst')}::boolean,
      ${value('status')}, ${value('failure')}, ${value('firstTokenMs')}::int, ${value('totalMs')}::int,
      ${value('inputTokens')}::int, ${value('outputTokens')}::int, ${value('thoughtTokens')}::int,
      ${value('cachedTokens')}::int, ${value('tokensGuessed')}::boolean, ${value('cost')}::float8, ${value('costCurrency')}
    from settled, messages m where settled.charged is not null and ${isStillRun}
    returning id`

const isRun = (id: string, hold: string) =>
  and(eq(messages.id, id), eq(messages.status, 'streaming'), sql`${messages.run}->>'hold' = ${hold}`)
