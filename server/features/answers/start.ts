import type { Thinking } from '#contract/models.ts'
import type { Citation, Hidden, InputParts } from '#contract/threads.ts'
import type { WebUse } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import { FOREIGN_KEY_VIOLATION, pgErrorCode } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { isTransient, whileAway } from '#server/work/retry.ts'
import type { Held } from '../billing/ledger.ts'
import { type MessageRow, noSuchMessage } from '../threads/branch.ts'
import type { ReadRow } from '../threads/to-messages.ts'
import type { AnswerContext, PromptInput } from './context.ts'
import { disown, type NewQuestion, type StartedRows, startRows } from './rows.ts'
import type { AnswerKind } from './run.ts'

/** What a person wants from the web for an answer. */
export interface WebOptions {
  search: boolean
  /** Addresses to read. */
  pages: string[]
}

/** A question that is to be answered, and the prompt for it. */
export interface Asked {
  promptInput: PromptInput
  question: NewQuestion | MessageRow
  /** The answer to continue; null for a new one. */
  continued: MessageRow | null
  thinking?: Thinking | undefined
  /** What to do on the web before the answer. */
  web?: WebOptions | null
  /** Nothing is hidden from the model. */
  asIs?: boolean | undefined
  /** The answer before this one thought until its limit. */
  mayThinkMore?: boolean
}

/** The id of an answer and the process that writes it. */
export interface AnswerOwner {
  messageId: string
  instance: string
}

/** An answer whose hold and rows are stored and that can be written now. */
export interface StartedAnswer {
  run: AnswerRun
  kind: AnswerKind
  maxOutputSymbols: number | null
  rows: ExchangeRows
}

/** Question and answer as they were stored, so that they need not be read back. */
export interface ExchangeRows {
  question: ReadRow
  answer: ReadRow
  thread: StartedRows['thread']
}

interface AnswerDraft {
  id: string
  kind: 'answer' | 'image'
  run: AnswerRun
  parts: InputParts
  citations: Citation[]
  /** What is hidden from the model; null for nothing. */
  hidden: Hidden | null
  /** What is asked of the web, before anything is found. */
  web?: WebUse | null
  instance: string
}

/** How long the request waits for an unavailable database. */
const WAIT_MS = 10_000
const DAY_MS = 86_400_000

/** Stores question and answer together with a hold of `symbols`. */
export async function storeStart(
  ctx: Ctx,
  { model, threadId }: AnswerContext,
  { question, continued }: Asked,
  { id, kind, run, parts, citations, hidden, web, instance }: AnswerDraft,
  symbols: number,
): Promise<{ outcome: Held; rows: ExchangeRows }> {
  const isNew = 'fileIds' in question
  const answer = { id, isContinued: continued !== null, parts, citations, hidden, web, run }
  const start = { userId: ctx.user.id, threadId, modelId: model.id, kind, question, answer, instance }
  let tries = 0
  try {
    const started = await whileAway(
      () => {
        tries += 1
        return startRows(ctx.db, start, symbols)
      },
      { forMs: WAIT_MS },
    )
    // The key is unique to this run, so a repeat is our own earlier attempt whose acknowledgement was lost.
    const outcome = started.outcome === 'repeated' && tries > 1 ? 'held' : started.outcome
    const stored = {
      id,
      parentId: question.id,
      modelId: model.id,
      parts,
      citations,
      hidden: hidden ?? continued?.hidden ?? null,
      web: web ?? continued?.web ?? null,
    }
    return {
      outcome,
      rows: {
        question: isNew
          ? newQuestionRow(threadId, question, started)
          : withSiblings(question, started.questionSiblings),
        answer: withSiblings(
          { ...(continued ?? emptyRow('assistant', threadId, started.answerAt)), ...stored, ...running },
          started.answerSiblings,
        ),
        thread: started.thread,
      },
    }
  } catch (error) {
    if (isTransient(error)) disownLater(ctx.db, id, run.hold)
    // The parent message was deleted a moment ago.
    throw pgErrorCode(error) === FOREIGN_KEY_VIOLATION ? noSuchMessage() : error
  }
}

/** The start may have been committed all the same. No process writes the answer then, so recovery must end it. */
function disownLater(db: Db, messageId: string, hold: string): void {
  void whileAway(() => disown(db, messageId, hold), { forMs: DAY_MS }).catch(() => {})
}

const running = { status: 'streaming', errorCode: null, errorMessage: null, earlyStop: null } as const

function newQuestionRow(threadId: string, question: NewQuestion, started: StartedRows): ReadRow {
  const { id, parentId, content, fileIds } = question
  const row = { ...emptyRow('user', threadId, started.questionAt), id, parentId, content }
  return { ...withSiblings(row, started.questionSiblings), ...(fileIds.length === 0 ? { files: [] } : {}) }
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
  errorCode: null,
  errorMessage: null,
  earlyStop: null,
  hidden: null,
  thought: '',
  thoughtSymbols: 0,
  thoughtMs: null,
})

/** The siblings were read before the insert, so a new message is added as the last one. */
const withSiblings = (row: ReadRow, siblings: string[]): ReadRow => ({
  ...row,
  siblings: siblings.includes(row.id) ? siblings : [...siblings, row.id],
})
