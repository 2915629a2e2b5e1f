import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import type { Citation, Hidden, InputParts } from '#contract/threads.ts'
import type { WebUse } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import { oneRowOf, rowsOf } from '#server/db/rows-of.ts'
import { type AnswerRun, messageChunks, messages, thoughtChunks, webPassages } from '#server/db/schema.ts'
import { writeCitations, writeParts } from '#server/db/tables/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { Held, holdCall, release } from '../billing/ledger.ts'
import { searchVector } from '../search/text-query.ts'
import { type MessageRow, messageColumns, noSuchMessage, siblingsColumn } from '../threads/branch.ts'

/** The caller's own message in a thread; throws 404 otherwise. */
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

export interface NewQuestion {
  id: string
  parentId: string | null
  content: string
  fileIds: string[]
}

export interface AnswerStart {
  userId: string
  threadId: string
  modelId: string
  kind: 'answer' | 'image'
  /** Inserted when new. */
  question: NewQuestion | Pick<MessageRow, 'id' | 'parentId'>
  answer: {
    id: string
    isContinued: boolean
    parts: InputParts
    citations: Citation[]
    hidden?: Hidden | null
    web?: WebUse | null | undefined
    run: AnswerRun
  }
  /** The process that will write it. */
  instance: string
}

/** Answers that may be written for one user at once. */
export const MAX_AT_ONCE = 3
const maxAtOnce = { answer: MAX_AT_ONCE, image: MAX_IMAGES_AT_ONCE }

const Started = z.object({
  outcome: Held,
  answers: z.coerce.number(),
  question_ms: z.coerce.number(),
  answer_ms: z.coerce.number(),
  question_siblings: z.array(z.string()),
  answer_siblings: z.array(z.string()),
})

export interface StartedRows {
  outcome: Held
  questionAt: Date
  answerAt: Date
  /** Without a message that this statement has inserted. */
  questionSiblings: string[]
  answerSiblings: string[]
}

/**
 * Takes the hold and writes the question, the empty answer and the thread's new leaf in one statement: one round trip,
 * and no row is stored without a hold.
 */
export async function startRows(db: Db, start: AnswerStart, symbols: number): Promise<StartedRows> {
  const { userId, threadId, modelId, kind, question, answer, instance } = start
  const order = { key: answer.run.hold, userId, kind, symbols, instance, most: maxAtOnce[kind] }
  const started = await oneRowOf(
    db,
    sql`
    with h as materialized (select ${holdCall(order)} as outcome)
    ${'fileIds' in question ? insertQuestion(start, question) : sql``},
    a as (${answer.isContinued ? continueAnswer(start) : insertAnswer(start)}),
    t as (
      update threads set current_leaf_id = ${answer.id}, version = version + 1, updated_at = now(), model_id = ${modelId}
      from h where threads.id = ${threadId} and h.outcome = 'held'
    )
    select outcome, (select count(*) from a) as answers,
      ${createdMs(question.id, sql`now()`)} as question_ms, ${createdMs(answer.id, answerTime)} as answer_ms,
      ${siblingIds(threadId, question.parentId)} as question_siblings,
      ${siblingIds(threadId, question.id)} as answer_siblings
    from h`,
    Started,
  )
  const read = {
    questionAt: new Date(started.question_ms),
    answerAt: new Date(started.answer_ms),
    questionSiblings: started.question_siblings,
    answerSiblings: started.answer_siblings,
  }
  if (started.outcome !== 'held' || started.answers > 0) return { ...read, outcome: started.outcome }
  // A parallel request began to continue the same answer a moment earlier.
  await release(db, order.key)
  return { ...read, outcome: 'repeated' }
}

/** Created a millisecond after its question, so that the two sort in order. */
const answerTime = sql`now() + interval '1 millisecond'`

/** The time of a stored message, or the time this statement gives to a new one; columns have milliseconds. */
const createdMs = (id: string, newTime: SQL) =>
  sql`extract(epoch from coalesce((select created_at from messages where id = ${id}), (${newTime})::timestamptz(3))) * 1000`

const siblingIds = (threadId: string, parentId: string | null) =>
  parentId === null
    ? sql`array(select id from messages where thread_id = ${threadId} and parent_id is null order by created_at, id)`
    : sql`array(select id from messages where parent_id = ${parentId} order by created_at, id)`

function insertQuestion({ userId, threadId }: AnswerStart, { id, parentId, content, fileIds }: NewQuestion) {
  return sql`, q as (
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, search, created_at)
      select ${id}, ${threadId}, ${userId}, ${parentId}, 'user', ${content}, 'complete', ${searchVector(content)}, now()
      from h where h.outcome = 'held'
    ), f as (
      insert into message_files (message_id, file_id, position)
      select ${id}, file.id, file.position
      from h, unnest(${sql.param(fileIds)}::text[]) with ordinality as file(id, position) where h.outcome = 'held'
    )`
}

/** The previous release recovers answers with an old heartbeat; a future one keeps it away from a running answer. */
const futureHeartbeat = sql`now() + interval '1 day'`

function insertAnswer({ userId, threadId, modelId, question, answer, instance }: AnswerStart) {
  return sql`
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, model_id, parts, sources, hidden, web, run,
        instance, heartbeat_at, created_at)
      select ${answer.id}, ${threadId}, ${userId}, ${question.id}, 'assistant', '', 'streaming', ${modelId},
             ${writeParts(answer.parts)}::jsonb, ${citationsOf(answer)}, ${hiddenOf(answer)},
             ${answer.web ? JSON.stringify(answer.web) : null}::jsonb,
             ${JSON.stringify(answer.run)}::jsonb,
             ${instance}, ${futureHeartbeat}, ${answerTime}
      from h where h.outcome = 'held' returning id`
}

function continueAnswer({ modelId, answer, instance }: AnswerStart) {
  return sql`
      update messages set status = 'streaming', model_id = ${modelId}, parts = ${writeParts(answer.parts)}::jsonb,
        sources = ${citationsOf(answer)}, hidden = coalesce(${hiddenOf(answer)}, messages.hidden), run = ${JSON.stringify(answer.run)}::jsonb, instance = ${instance},
        stop_requested = false, early_stop = null, heartbeat_at = ${futureHeartbeat}, error_code = null, error_message = null
      from h where messages.id = ${answer.id} and messages.status <> 'streaming' and h.outcome = 'held'
      returning messages.id`
}

/** Null without citations, to keep the column small. */
const citationsOf = ({ citations }: AnswerStart['answer']) =>
  sql`${citations.length > 0 ? writeCitations(citations) : null}::jsonb`

const hiddenOf = ({ hidden }: AnswerStart['answer']) => sql`${hidden ? JSON.stringify(hidden) : null}::jsonb`

/** Where the parts of a running answer's text and thought are. */
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
  const column = <Key extends keyof Chunk>(key: Key) => sql.param(chunks.map((chunk) => chunk[key]))
  const rows = await rowsOf(
    db,
    sql`
    with written as (
      select * from unnest(${column('id')}::text[], ${column('hold')}::text[], ${column('at')}::int[],
        ${column('upto')}::int[], ${column('text')}::text[]) as w(id, hold, at, upto, text)
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
  )
  return new Set(rows.map((row) => row.message_id))
}

const ChunkOwner = z.object({ message_id: z.string() })

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

/** Stores the fallback model and its rates before it is called: recovery charges by them after a crash. */
export async function changeModel(
  db: Db,
  id: string,
  run: AnswerRun,
  modelId: string,
  hidden: Hidden | null = null,
): Promise<boolean> {
  const rows = await db
    .update(messages)
    .set({ run, modelId, hidden })
    .where(isRun(id, run.hold))
    .returning({ id: messages.id })
  return rows.length > 0
}

/** What pages of the web add to a running answer. */
export interface StoredFindings {
  run: AnswerRun
  parts: InputParts
  citations: Citation[]
  web: WebUse
  passages: Omit<typeof webPassages.$inferInsert, 'messageId'>[]
  hidden: Hidden | null
}

/**
 * Stores what was read before the model is asked: recovery charges by it after a crash, and the citations open it.
 * False if the run is not ours any more.
 */
export function storeFindings(db: Db, id: string, findings: StoredFindings): Promise<boolean> {
  const { run, parts, citations, web, passages, hidden } = findings
  return db.transaction(async (tx) => {
    const rows = await tx
      .update(messages)
      .set({ run, parts, citations: citations.length > 0 ? citations : null, web, hidden })
      .where(isRun(id, run.hold))
      .returning({ id: messages.id })
    if (rows.length === 0) return false
    // A repeat after a lost acknowledgement, or pages of a run before this one.
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
export async function requestStop(db: Db, id: string): Promise<void> {
  const isAlive = sql`(${messages.instance} is null or exists (select 1 from instances i where i.id = ${messages.instance}
    and i.ended_at is null and i.seen_at > clock_timestamp() - interval '3 seconds'))`
  await db
    .update(messages)
    .set({ stopRequested: true })
    .where(and(eq(messages.id, id), eq(messages.status, 'streaming'), eq(messages.stopRequested, false), isAlive))
}

/** The ids of a process's answers with a stop request. */
export async function stopRequests(db: Db, instance: string): Promise<string[]> {
  const rows = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.instance, instance), eq(messages.stopRequested, true), eq(messages.status, 'streaming')))
  return rows.map(({ id }) => id)
}

export interface RunEnd
  extends Pick<
    MessageRow,
    'content' | 'status' | 'modelId' | 'errorCode' | 'errorMessage' | 'firstTokenMs' | 'totalMs'
  > {
  id: string
  run: AnswerRun
  /** The statement that ends the hold; returns `charged` (null if it had ended before) and `free_stop`. */
  settle: SQL
  /** Stopped before the first text, after the provider had been called. */
  isEarlyStop: boolean
  output: number
  /** What the model thought, where it did; the symbols are those of this run, shown or not. */
  thought?: { text: string; symbols: number; ms: number | null } | null
  cost: Partial<
    Pick<
      MessageRow,
      'inputTokens' | 'outputTokens' | 'thoughtTokens' | 'cachedTokens' | 'tokensGuessed' | 'cost' | 'costCurrency'
    >
  >
}

export type EndedRow = MessageRow & { runCharged: number | null; siblings: string[] }

/** Ends a run: text, status and charge in one statement. Null if the run has already ended or the message is gone. */
export async function endRun(db: Db, end: RunEnd): Promise<EndedRow | null> {
  const { id, run, settle, isEarlyStop, output, thought, cost, ...rest } = end
  const settled = db.$with('settled', { charged: sql<string>`charged` }).as(settle)
  const foldedFrom = (table: ChunkTable) => sql`
    delete from ${sql.identifier(table)} where message_id = ${id} and exists (
      select 1 from messages m where m.id = ${id} and m.status = 'streaming' and m.run->>'hold' = ${run.hold})
    returning message_id`
  const folded = db.$with('folded', { id: messageChunks.messageId }).as(foldedFrom('message_chunks'))
  const foldedThought = db.$with('folded_thought', { id: thoughtChunks.messageId }).as(foldedFrom('thought_chunks'))
  const wasCharged = sql`settled.charged > 0`
  const [row] = await db
    .with(settled, folded, ...(thought ? [foldedThought] : []))
    .update(messages)
    .set({
      ...rest,
      ...cost,
      // The run of a failed and uncharged answer stays, as a record that it must not be charged.
      run:
        end.status === 'failed' ? sql`case when ${wasCharged} then null else ${JSON.stringify(run)}::jsonb end` : null,
      earlyStop: isEarlyStop
        ? sql`jsonb_build_object('charged', coalesce(settled.charged, 0), 'free', settled.free_stop)`
        : null,
      instance: null,
      stopRequested: false,
      heartbeatAt: null,
      charged: sql`${messages.charged} + coalesce(settled.charged, 0)`,
      input: sql`${messages.input} + case when ${wasCharged} then ${run.input}::bigint else 0 end`,
      output: sql`${messages.output} + case when ${wasCharged} then ${output}::bigint else 0 end`,
      ...(thought && {
        thought: thought.text,
        thoughtMs: thought.ms,
        thoughtSymbols: sql`${messages.thoughtSymbols} + ${thought.symbols}::bigint`,
      }),
      search: sql`${searchVector(end.content)}`,
    })
    .from(settled)
    .where(isRun(id, run.hold))
    .returning({ ...messageColumns, siblings: siblingsColumn, runCharged: sql<string | null>`settled.charged` })
  return row ? { ...row, runCharged: row.runCharged === null ? null : Number(row.runCharged) } : null
}

const isRun = (id: string, hold: string) =>
  and(eq(messages.id, id), eq(messages.status, 'streaming'), sql`${messages.run}->>'hold' = ${hold}`)
