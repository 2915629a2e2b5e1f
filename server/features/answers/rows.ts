import { and, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import type { Rating } from '#contract/ratings.ts'
import type { Citation, Hidden, InputParts } from '#contract/threads.ts'
import type { WebUse } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, messageChunks, messages, thoughtChunks, webPassages } from '#server/db/schema.ts'
import { byVariant, preparedOnce, statement, type Value } from '#server/db/statement.ts'
import { writeCitations, writeParts } from '#server/db/tables/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { Held, holdCall, release, type Settlement, settlements, settlementValues } from '../billing/ledger.ts'
import { searchVector } from '../search/text-query.ts'
import { type MessageRow, messageColumns, noSuchMessage, siblingsColumn } from '../threads/branch.ts'
import { ratingColumn } from '../threads/to-messages.ts'
import type { ChunkTable } from './chunks.ts'

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
  thread: z.nullable(z.object({ version: z.int(), updated_ms: z.number() })),
})

export interface StartedRows {
  outcome: Held
  questionAt: Date
  answerAt: Date
  /** Without a message that this statement has inserted. */
  questionSiblings: string[]
  answerSiblings: string[]
  /** The thread as this statement has left it; null when it did not change it. */
  thread: { version: number; updatedAt: Date } | null
}

/**
 * Takes the hold and writes the question, the empty answer and the thread's new leaf in one statement: one round trip,
 * and no row is stored without a hold.
 */
export async function startRows(db: Db, start: AnswerStart, symbols: number): Promise<StartedRows> {
  const { userId, threadId, modelId, kind, question, answer, instance } = start
  const { citations, hidden, web, run } = answer
  const isNew = 'fileIds' in question
  const variant = { isNew, isContinued: answer.isContinued, isRoot: question.parentId === null }
  const [started] = await startStatement(variant)(db, {
    ...{ userId, threadId, modelId, kind, instance, symbols, hold: run.hold, most: maxAtOnce[kind] },
    ...{ questionId: question.id, parentId: question.parentId },
    content: isNew ? question.content : null,
    fileIds: isNew ? question.fileIds : null,
    answerId: answer.id,
    parts: writeParts(answer.parts),
    // Null without citations, to keep the column small.
    citations: citations.length > 0 ? writeCitations(citations) : null,
    hidden: hidden ? JSON.stringify(hidden) : null,
    web: web ? JSON.stringify(web) : null,
    run: JSON.stringify(run),
  })
  if (!started) throw new Error('The start of an answer returned no row')
  const read = {
    questionAt: new Date(started.question_ms),
    answerAt: new Date(started.answer_ms),
    questionSiblings: started.question_siblings,
    answerSiblings: started.answer_siblings,
    thread: started.thread && { version: started.thread.version, updatedAt: new Date(started.thread.updated_ms) },
  }
  if (started.outcome !== 'held' || started.answers > 0) return { ...read, outcome: started.outcome }
  // A parallel request began to continue the same answer a moment earlier.
  await release(db, run.hold)
  return { ...read, outcome: 'repeated' }
}

type StartValue =
  | ('userId' | 'threadId' | 'modelId' | 'kind' | 'instance' | 'symbols' | 'hold' | 'most')
  | ('questionId' | 'parentId' | 'content' | 'fileIds' | 'answerId' | 'parts' | 'citations' | 'hidden' | 'web' | 'run')

interface StartVariant {
  /** The question is stored too. */
  isNew: boolean
  isContinued: boolean
  /** The question is the first of its thread. */
  isRoot: boolean
}

const startStatement = byVariant((variant: StartVariant) =>
  statement('answer_start', (value: Value<StartValue>) => startSql(variant, value), Started),
)

function startSql({ isNew, isContinued, isRoot }: StartVariant, value: Value<StartValue>): SQL {
  const [userId, kind, symbols] = [value('userId'), value('kind'), value('symbols')]
  const held = holdCall({ key: value('hold'), userId, kind, symbols, instance: value('instance'), most: value('most') })
  const [threadId, questionId, answerId] = [value('threadId'), value('questionId'), value('answerId')]
  const first = sql`array(select id from messages where thread_id = ${threadId} and parent_id is null order by created_at, id)`
  const siblings = (parentId: Placeholder) =>
    sql`array(select id from messages where parent_id = ${parentId} order by created_at, id)`
  return sql`
    with h as materialized (select ${held} as outcome)
    ${isNew ? insertQuestion(value) : sql``},
    a as (${isContinued ? continueAnswer(value) : insertAnswer(value)}),
    t as (
      update threads set current_leaf_id = ${answerId}, version = version + 1, updated_at = now(), model_id = ${value('modelId')}
      from h where threads.id = ${threadId} and h.outcome = 'held'
      returning version, extract(epoch from updated_at) * 1000 as updated_ms
    )
    select outcome, (select count(*) from a) as answers,
      (select to_jsonb(t) from t) as thread,
      ${createdMs(questionId, sql`now()`)} as question_ms, ${createdMs(answerId, answerTime)} as answer_ms,
      ${isRoot ? first : siblings(value('parentId'))} as question_siblings, ${siblings(questionId)} as answer_siblings
    from h`
}

/** Created a millisecond after its question, so that the two sort in order. */
const answerTime = sql`now() + interval '1 millisecond'`

/** The time of a stored message, or the time this statement gives to a new one; columns have milliseconds. */
const createdMs = (id: Placeholder, newTime: SQL) =>
  sql`extract(epoch from coalesce((select created_at from messages where id = ${id}), (${newTime})::timestamptz(3))) * 1000`

function insertQuestion(value: Value<StartValue>): SQL {
  const [id, content] = [value('questionId'), value('content')]
  return sql`, q as (
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, search, created_at)
      select ${id}, ${value('threadId')}, ${value('userId')}, ${value('parentId')}, 'user', ${content}, 'complete',
        ${searchVector(sql`${content}`)}, now()
      from h where h.outcome = 'held'
    ), f as (
      insert into message_files (message_id, file_id, position)
      select ${id}, file.id, file.position
      from h, unnest(${value('fileIds')}::text[]) with ordinality as file(id, position) where h.outcome = 'held'
    )`
}

/** The previous release recovers answers with an old heartbeat; a future one keeps it away from a running answer. */
const futureHeartbeat = sql`now() + interval '1 day'`

function insertAnswer(value: Value<StartValue>): SQL {
  return sql`
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, model_id, parts, sources, hidden, web, run,
        instance, heartbeat_at, created_at)
      select ${value('answerId')}, ${value('threadId')}, ${value('userId')}, ${value('questionId')}, 'assistant', '',
             'streaming', ${value('modelId')}, ${value('parts')}::jsonb, ${value('citations')}::jsonb,
             ${value('hidden')}::jsonb, ${value('web')}::jsonb, ${value('run')}::jsonb, ${value('instance')},
             ${futureHeartbeat}, ${answerTime}
      from h where h.outcome = 'held' returning id`
}

function continueAnswer(value: Value<StartValue>): SQL {
  return sql`
      update messages set status = 'streaming', model_id = ${value('modelId')}, parts = ${value('parts')}::jsonb,
        sources = ${value('citations')}::jsonb, hidden = coalesce(${value('hidden')}::jsonb, messages.hidden),
        run = ${value('run')}::jsonb, instance = ${value('instance')},
        stop_requested = false, early_stop = null, heartbeat_at = ${futureHeartbeat}, error_code = null, error_message = null
      from h where messages.id = ${value('answerId')} and messages.status <> 'streaming' and h.outcome = 'held'
      returning messages.id`
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
  settle: Settlement
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

export type EndedRow = MessageRow & { runCharged: number | null; siblings: string[]; rating: Rating | null }

/** Ends a run: text, status and charge in one statement. Null if the run has already ended or the message is gone. */
export async function endRun(db: Db, end: RunEnd): Promise<EndedRow | null> {
  const { id, run, settle, isEarlyStop, output, thought, cost, ...rest } = end
  const variant: EndVariant = {
    settle: settle.type,
    isEarlyStop,
    isFailed: end.status === 'failed',
    hasThought: thought != null,
    cost: costNames.filter((name) => cost[name] !== undefined),
  }
  const [row] = await endStatement(variant)(db).execute({
    ...{ id, output, hold: run.hold, input: run.input, ...rest, ...cost, ...settlementValues(settle) },
    run: JSON.stringify(run),
    thought: thought?.text,
    thoughtMs: thought?.ms,
    thoughtSymbols: thought?.symbols,
  })
  return row ? { ...row, runCharged: row.runCharged === null ? null : Number(row.runCharged) } : null
}

const costNames = [
  ...(['inputTokens', 'outputTokens', 'thoughtTokens', 'cachedTokens'] as const),
  ...(['tokensGuessed', 'cost', 'costCurrency'] as const),
]

interface EndVariant {
  settle: Settlement['type']
  isEarlyStop: boolean
  isFailed: boolean
  hasThought: boolean
  cost: (typeof costNames)[number][]
}

const value = (name: string) => sql`${sql.placeholder(name)}`
const valuesOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, SQL>

const endStatement = byVariant((variant: EndVariant, name) =>
  preparedOnce((db) => prepareEnd(db, variant, `answer_end_${name}`)),
)

function prepareEnd(db: Db, { settle, isEarlyStop, isFailed, hasThought, cost }: EndVariant, name: string) {
  const settled = db.$with('settled', { charged: sql<string>`charged` }).as(settlements[settle])
  const foldedFrom = (table: ChunkTable) => sql`
    delete from ${sql.identifier(table)} where message_id = ${value('id')} and exists (
      select 1 from messages m where m.id = ${value('id')} and m.status = 'streaming' and m.run->>'hold' = ${value('hold')})
    returning message_id`
  const folded = db.$with('folded', { id: messageChunks.messageId }).as(foldedFrom('message_chunks'))
  const foldedThought = db.$with('folded_thought', { id: thoughtChunks.messageId }).as(foldedFrom('thought_chunks'))
  const wasCharged = sql`settled.charged > 0`
  return db
    .with(settled, folded, ...(hasThought ? [foldedThought] : []))
    .update(messages)
    .set({
      ...valuesOf(['content', 'status', 'modelId', 'errorCode', 'errorMessage', 'firstTokenMs', 'totalMs']),
      ...valuesOf(cost),
      // The run of a failed and uncharged answer stays, as a record that it must not be charged.
      run: isFailed ? sql`case when ${wasCharged} then null else ${value('run')}::jsonb end` : null,
      earlyStop: isEarlyStop
        ? sql`jsonb_build_object('charged', coalesce(settled.charged, 0), 'free', settled.free_stop)`
        : null,
      instance: null,
      stopRequested: false,
      heartbeatAt: null,
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
    })
    .prepare(name)
}

const isRun = (id: string, hold: string) =>
  and(eq(messages.id, id), eq(messages.status, 'streaming'), sql`${messages.run}->>'hold' = ${hold}`)
