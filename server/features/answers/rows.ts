import { and, eq, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import type { InputParts, Source } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, messages } from '#server/db/schema.ts'
import { Held, holdCall, release } from '../billing/ledger.ts'
import { searchVector } from '../search/vector.ts'
import { type MessageRow, messageColumns } from '../threads/branch.ts'

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
  /** What the hold is for. */
  kind: 'answer' | 'image'
  /** Null when an answer to a stored question is wanted. */
  question: NewQuestion | null
  answer: { id: string; parentId: string; isContinued: boolean; parts: InputParts; sources: Source[]; run: AnswerRun }
  createdAt: Date
}

/** Answers that one person may have written at once, and pictures drawn. */
export const MAX_AT_ONCE = 3
const most = { answer: MAX_AT_ONCE, image: MAX_IMAGES_AT_ONCE }

const Started = z.object({ outcome: Held, version: z.nullable(z.coerce.number()), answers: z.coerce.number() })

/**
 * Takes the hold and writes what hangs on it — question, empty answer, the thread's new end — in one statement:
 * one journey to the database, and nothing is stored that is not held.
 */
export async function startRows(db: Db, start: AnswerStart, symbols: number, leaseUntil: Date) {
  const { userId, threadId, modelId, kind, question, answer, createdAt } = start
  const now = sql`${createdAt.toISOString()}::timestamptz`
  const order = { key: answer.run.hold, userId, kind, symbols, leaseUntil, most: most[kind] }
  const { rows } = (await db.execute(sql`
    with h as materialized (select ${holdCall(order, createdAt)} as outcome)
    ${question ? insertQuestion(start, question) : sql``},
    a as (${answer.isContinued ? continueAnswer(start) : insertAnswer(start)}),
    t as (
      update threads set current_leaf_id = ${answer.id}, version = version + 1, updated_at = ${now}, model_id = ${modelId}
      from h where threads.id = ${threadId} and h.outcome = 'held' returning version
    )
    select outcome, (select version from t) as version, (select count(*) from a) as answers from h`)) as unknown as {
    rows: unknown[]
  }
  const { outcome, version, answers } = Started.parse(rows[0])
  if (outcome !== 'held' || answers > 0) return { outcome, version }
  // Somebody else began to continue the same answer a moment earlier.
  await release(db, order.key)
  return { outcome: 'repeated' as const, version }
}

function insertQuestion({ userId, threadId, createdAt }: AnswerStart, { id, parentId, content, fileIds }: NewQuestion) {
  return sql`, q as (
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, search, created_at)
      select ${id}, ${threadId}, ${userId}, ${parentId}, 'user', ${content}, 'complete', ${searchVector(content)},
             ${createdAt.toISOString()}::timestamptz
      from h where h.outcome = 'held'
    ), f as (
      insert into message_files (message_id, file_id, position)
      select ${id}, file.id, file.position
      from h, unnest(${sql.param(fileIds)}::text[]) with ordinality as file(id, position) where h.outcome = 'held'
    )`
}

/** A moment after its question, so that their order can be told. */
function insertAnswer({ userId, threadId, modelId, answer, createdAt }: AnswerStart) {
  return sql`
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, model_id, parts, sources, run,
        heartbeat_at, created_at)
      select ${answer.id}, ${threadId}, ${userId}, ${answer.parentId}, 'assistant', '', 'streaming', ${modelId},
             ${JSON.stringify(answer.parts)}::jsonb, ${sourcesOf(answer)}, ${JSON.stringify(answer.run)}::jsonb, now(),
             ${new Date(createdAt.getTime() + 1).toISOString()}::timestamptz
      from h where h.outcome = 'held' returning id`
}

function continueAnswer({ modelId, answer }: AnswerStart) {
  return sql`
      update messages set status = 'streaming', model_id = ${modelId}, parts = ${JSON.stringify(answer.parts)}::jsonb,
        sources = ${sourcesOf(answer)}, run = ${JSON.stringify(answer.run)}::jsonb, heartbeat_at = now(), error_code = null, error_message = null
      from h where messages.id = ${answer.id} and messages.status <> 'streaming' and h.outcome = 'held'
      returning messages.id`
}

/** Most answers have none, and then the column stays empty. */
const sourcesOf = ({ sources }: AnswerStart['answer']) =>
  sql`${sources.length > 0 ? JSON.stringify(sources) : null}::jsonb`

/** Keeps the texts so far and says that their writer is alive; a text that has not grown is not sent again. */
export async function storeTexts(db: Db, texts: { id: string; content: string | null }[]): Promise<void> {
  await db.execute(sql`
    update messages set content = coalesce(written.content, messages.content), heartbeat_at = now()
    from unnest(${sql.param(texts.map(({ id }) => id))}::text[], ${sql.param(texts.map(({ content }) => content))}::text[])
      as written(id, content)
    where messages.id = written.id and messages.status = 'streaming'`)
}

export interface AnswerEnd
  extends Pick<
    MessageRow,
    'content' | 'status' | 'modelId' | 'errorCode' | 'errorMessage' | 'firstTokenMs' | 'totalMs'
  > {
  /** Added to what earlier runs were charged. */
  charged: number
  input: number
  output: number
  cost: Partial<Pick<MessageRow, 'inputTokens' | 'outputTokens' | 'tokensGuessed' | 'cost' | 'costCurrency'>>
}

/** Ends a run. It may have been taken for dead and ended already: then its later text still counts, its charge does not. */
export async function endRow(tx: Db, id: string, hold: string, end: AnswerEnd): Promise<MessageRow | null> {
  const { charged, input, output, cost, ...rest } = end
  const [row] = await tx
    .update(messages)
    .set({
      ...rest,
      ...cost,
      run: null,
      heartbeatAt: null,
      charged: sql`${messages.charged} + ${charged}`,
      input: sql`${messages.input} + ${input}`,
      output: sql`${messages.output} + ${output}`,
      search: sql`${searchVector(end.content)}`,
    })
    .where(and(eq(messages.id, id), or(sql`${messages.run}->>'hold' = ${hold}`, eq(messages.status, 'interrupted'))))
    .returning(messageColumns)
  return row ?? null
}
