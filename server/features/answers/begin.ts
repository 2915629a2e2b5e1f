import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import type { Thinking } from '#contract/models.ts'
import { type Citation, type InputParts, type MaskedCounts, TEMPORARY_TITLE } from '#contract/threads.ts'
import type { WebUse } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import { byVariant, statement, type Value } from '#server/db/statement.ts'
import { FOREIGN_KEY_VIOLATION, pgErrorCode } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { isTransient } from '#server/lib/errors.ts'
import { HoldOutcome, holdCall, release } from '../billing/ledger.ts'
import { searchVector } from '../search/text-query.ts'
import { type MessageRow, noSuchMessage, type ReadRow } from '../threads/message-rows.ts'
import type { AnswerContext, PromptInput } from './context.ts'
import { disown } from './rows.ts'
import type { AnswerKind } from './run-state.ts'

export type RequestedWeb = NonNullable<WebUse['request']>

export interface AnswerInput {
  promptInput: PromptInput
  question: NewQuestion | MessageRow
  /** Null for a new answer. */
  continued: MessageRow | null
  thinking?: Thinking | undefined
  web?: RequestedWeb | null
  /** Personal data is not masked for the model. */
  asIs?: boolean | undefined
  /** The previous answer ended at its thought limit, so this one gets a larger one. */
  mayThinkMore?: boolean
}

export const runMarks = (
  { isTemporary }: AnswerContext,
  { question }: AnswerInput,
): Pick<AnswerRun, 'note' | 'isFirst'> => ({
  ...(isTemporary && { note: TEMPORARY_TITLE }),
  ...('fileIds' in question && { isFirst: true }),
})

export interface AnswerOwner {
  messageId: string
  instance: string
}

/** An answer whose hold and rows are stored and that can be written now. */
export interface OpenedAnswer {
  kind: AnswerKind
  maxOutputSymbols: number | null
  rows: ExchangeRows
}

/** Question and answer as they were stored, so that they need not be read back. */
export interface ExchangeRows {
  question: ReadRow
  answer: ReadRow
  thread: BegunRows['thread']
}

export interface AnswerDraft {
  id: string
  kind: 'answer' | 'image'
  run: AnswerRun
  parts: InputParts
  citations: Citation[]
  masked: MaskedCounts | null
  /** The requested search and pages, before anything is found. */
  web?: WebUse | null
  instance: string
}

/** How long the request waits for an unavailable database. */
const WAIT_MS = 10_000
const DAY_MS = 86_400_000

/** Stores question and answer together with a hold of `symbols`. */
export async function beginExchange(
  ctx: Ctx,
  { model, threadId }: AnswerContext,
  { question, continued }: AnswerInput,
  { id, kind, run, parts, citations, masked, web, instance }: AnswerDraft,
  symbols: number,
): Promise<{ outcome: HoldOutcome; rows: ExchangeRows }> {
  const isNew = 'fileIds' in question
  const answer = { id, isContinued: continued !== null, parts, citations, masked, web, run }
  const exchange = { userId: ctx.user.id, threadId, modelId: model.id, kind, question, answer, instance }
  let tries = 0
  try {
    const begun = await retryWhileUnavailable(
      () => {
        tries += 1
        return holdAndStore(ctx.db, exchange, symbols)
      },
      { forMs: WAIT_MS },
    )
    // The key is unique to this run, so a repeat is our own earlier attempt whose acknowledgement was lost.
    const outcome = begun.outcome === 'repeated' && tries > 1 ? 'held' : begun.outcome
    const stored = {
      id,
      parentId: question.id,
      modelId: model.id,
      parts,
      citations,
      masked: masked ?? continued?.masked ?? null,
      web: web ?? continued?.web ?? null,
    }
    return {
      outcome,
      rows: {
        question: isNew ? newQuestionRow(threadId, question, begun) : withSiblings(question, begun.questionSiblings),
        answer: withSiblings(
          { ...(continued ?? emptyRow('assistant', threadId, begun.answerAt)), ...stored, ...running },
          begun.answerSiblings,
        ),
        thread: begun.thread,
      },
    }
  } catch (error) {
    if (isTransient(error)) disownLater(ctx.db, id, run.hold)
    // The parent message was deleted a moment ago.
    throw pgErrorCode(error) === FOREIGN_KEY_VIOLATION ? noSuchMessage() : error
  }
}

/** The exchange may have been committed all the same. No process writes the answer then, so recovery must end it. */
function disownLater(db: Db, messageId: string, hold: string): void {
  void retryWhileUnavailable(() => disown(db, messageId, hold), { forMs: DAY_MS }).catch(() => {})
}

const running = { status: 'streaming', errorCode: null, errorMessage: null, earlyStop: null } as const

function newQuestionRow(threadId: string, question: NewQuestion, begun: BegunRows): ReadRow {
  const { id, parentId, content, fileIds, imageId } = question
  const row = { ...emptyRow('user', threadId, begun.questionAt), id, parentId, content, imageId }
  return { ...withSiblings(row, begun.questionSiblings), ...(fileIds.length === 0 ? { files: [] } : {}) }
}

const emptyRow = (role: 'user' | 'assistant', threadId: string, createdAt: Date) => ({
  threadId,
  role,
  createdAt,
  content: '',
  status: 'complete' as const,
  modelId: null,
  input: 0,
  output: 0,
  charged: 0,
  parts: null,
  citations: null,
  web: null,
  imageId: null,
  errorCode: null,
  errorMessage: null,
  earlyStop: null,
  masked: null,
  thought: '',
  thoughtSymbols: 0,
  thoughtMs: null,
})

/** The siblings were read before the insert, so a new message is added as the last one. */
const withSiblings = (row: ReadRow, siblings: string[]): ReadRow => ({
  ...row,
  siblings: siblings.includes(row.id) ? siblings : [...siblings, row.id],
})

export interface NewQuestion {
  id: string
  parentId: string | null
  content: string
  fileIds: string[]
  /** The image that is to be changed. */
  imageId: string | null
}

export interface NewExchange {
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
    masked?: MaskedCounts | null
    web?: WebUse | null | undefined
    run: AnswerRun
  }
  instance: string
}

/** Answers that may be written for one user at once. */
export const MAX_AT_ONCE = 3
const maxAtOnce = { answer: MAX_AT_ONCE, image: MAX_IMAGES_AT_ONCE }

const ExchangeResult = z.object({
  outcome: HoldOutcome,
  answers: z.coerce.number(),
  question_ms: z.coerce.number(),
  answer_ms: z.coerce.number(),
  question_siblings: z.array(z.string()),
  answer_siblings: z.array(z.string()),
  thread: z.nullable(z.object({ version: z.int(), updated_ms: z.number() })),
})

export interface BegunRows {
  outcome: HoldOutcome
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
export async function holdAndStore(db: Db, exchange: NewExchange, symbols: number): Promise<BegunRows> {
  const { userId, threadId, modelId, kind, question, answer, instance } = exchange
  const { citations, masked, web, run } = answer
  const isNew = 'fileIds' in question
  const variant = { isNew, isContinued: answer.isContinued, isRoot: question.parentId === null }
  const [result] = await exchangeStatement(variant)(db, {
    ...{ userId, threadId, modelId, kind, instance, symbols, hold: run.hold, most: maxAtOnce[kind] },
    ...{ questionId: question.id, parentId: question.parentId },
    content: isNew ? question.content : null,
    fileIds: isNew ? question.fileIds : null,
    imageId: isNew ? question.imageId : null,
    answerId: answer.id,
    parts: JSON.stringify(answer.parts),
    // Null without citations, to keep the column small.
    citations: citations.length > 0 ? JSON.stringify(citations) : null,
    masked: masked ? JSON.stringify(masked) : null,
    web: web ? JSON.stringify(web) : null,
    run: JSON.stringify(run),
  })
  if (!result) throw new Error('The beginning of an answer returned no row')
  const read = {
    questionAt: new Date(result.question_ms),
    answerAt: new Date(result.answer_ms),
    questionSiblings: result.question_siblings,
    answerSiblings: result.answer_siblings,
    thread: result.thread && { version: result.thread.version, updatedAt: new Date(result.thread.updated_ms) },
  }
  if (result.outcome !== 'held' || result.answers > 0) return { ...read, outcome: result.outcome }
  // A parallel request began to continue the same answer a moment earlier.
  await release(db, run.hold)
  return { ...read, outcome: 'repeated' }
}

type ExchangeValue =
  | ('userId' | 'threadId' | 'modelId' | 'kind' | 'instance' | 'symbols' | 'hold' | 'most')
  | ('questionId' | 'parentId' | 'content' | 'fileIds' | 'imageId')
  | ('answerId' | 'parts' | 'citations' | 'masked' | 'web' | 'run')

interface ExchangeVariant {
  /** The question is stored too. */
  isNew: boolean
  isContinued: boolean
  /** The question is the first of its thread. */
  isRoot: boolean
}

const exchangeStatement = byVariant((variant: ExchangeVariant) =>
  statement('answer_begin', (value: Value<ExchangeValue>) => exchangeSql(variant, value), ExchangeResult),
)

function exchangeSql({ isNew, isContinued, isRoot }: ExchangeVariant, value: Value<ExchangeValue>): SQL {
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

function insertQuestion(value: Value<ExchangeValue>): SQL {
  const [id, content] = [value('questionId'), value('content')]
  return sql`, q as (
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, image_id, search, created_at)
      select ${id}, ${value('threadId')}, ${value('userId')}, ${value('parentId')}, 'user', ${content}, 'complete', ${value('imageId')},
        ${searchVector(sql`${content}`)}, now()
      from h where h.outcome = 'held'
    ), f as (
      insert into message_files (message_id, file_id, position)
      select ${id}, file.id, file.position
      from h, unnest(${value('fileIds')}::text[]) with ordinality as file(id, position) where h.outcome = 'held'
    )`
}

function insertAnswer(value: Value<ExchangeValue>): SQL {
  return sql`
      insert into messages (id, thread_id, user_id, parent_id, role, content, status, model_id, parts, citations, masked, web, run,
        instance, created_at)
      select ${value('answerId')}, ${value('threadId')}, ${value('userId')}, ${value('questionId')}, 'assistant', '',
             'streaming', ${value('modelId')}, ${value('parts')}::jsonb, ${value('citations')}::jsonb,
             ${value('masked')}::jsonb, ${value('web')}::jsonb, ${value('run')}::jsonb, ${value('instance')}, ${answerTime}
      from h where h.outcome = 'held' returning id`
}

function continueAnswer(value: Value<ExchangeValue>): SQL {
  return sql`
      update messages set status = 'streaming', model_id = ${value('modelId')}, parts = ${value('parts')}::jsonb,
        citations = ${value('citations')}::jsonb, masked = coalesce(${value('masked')}::jsonb, messages.masked),
        run = ${value('run')}::jsonb, instance = ${value('instance')},
        stop_requested = false, early_stop = null, error_code = null, error_message = null
      from h where messages.id = ${value('answerId')} and messages.status <> 'streaming' and h.outcome = 'held'
      returning messages.id`
}
