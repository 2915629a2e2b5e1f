import { eq } from 'drizzle-orm'
import { countSymbols, type PricedExtras, price, type Rates } from '#contract/billing.ts'
import { type ErrorCode, errorStatus } from '#contract/errors.ts'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, ledger, messages } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { countAnswer } from '#server/http/metrics.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { EndReason, LlmUsage } from '#server/llm/llm.ts'
import { singleSubscription } from '../billing/balance.ts'
import type { ChargeDetails, Settlement } from '../billing/ledger.ts'
import { EARLY_STOP_NOTE } from '../billing/meter.ts'
import { DROPPED_IMAGE_NOTE } from '../images/finish.ts'
import { type MessageRow, messageColumns, toMessages } from '../threads/message-rows.ts'
import { disown, type EndedRow } from './rows.ts'
import type { AnswerEnd, AnswerError, Outcome, RunState } from './run-state.ts'

export interface FinishDeps {
  db: Db
  log: Log
  publish: Publish
}

export interface WriteResult {
  reason: EndReason | null
  usage: LlmUsage | null
  failure: { error: unknown } | null
}

const DAY_MS = 86_400_000

/** Stores the answer and its charge in one statement; returns the outcome. Retries while the database is down. */
export async function finishAnswer(deps: FinishDeps, state: RunState, result: WriteResult): Promise<Outcome> {
  const { db, log } = deps
  const { messageId, kind } = state.request
  const { hold } = kind.plan.run
  const end = endOf(state, result, answerErrorIn(deps, state, result))
  const retry = {
    forMs: DAY_MS,
    onRetry: (error: unknown) => log.warn({ err: error, messageId }, 'answers: storing an answer failed, retrying'),
  }
  try {
    const row = await retryWhileUnavailable(() => kind.settle(db, end), retry)
    const outcome = await retryWhileUnavailable(() => outcomeOf(db, row ?? messageId, hold), retry)
    noteEnd(log, endFacts(state, end, row))
    publishEnd(deps, state)
    return outcome
  } catch (error) {
    log.error({ err: error, messageId }, 'answers: storing an answer failed')
    await retryWhileUnavailable(() => disown(db, messageId, hold), retry).catch((failure: unknown) =>
      log.error({ err: failure, messageId }, 'answers: leaving an answer to recovery failed'),
    )
    return errorOutcome(internalError(messageId))
  }
}

/** The end of an answer for the log and the metrics; never its text. */
export interface EndFacts {
  requestId?: string | undefined
  messageId: string
  userId: string
  model: string
  provider: string | undefined
  outcome: string
  error?: string | undefined
  firstTextMs: number | null
  ms: number | null
  input: number
  output: number
  charged: number
  /** The process that wrote it had died. */
  isRecovered?: true
}

function endFacts(
  { request, text, firstTokenMs }: RunState,
  { row, error }: AnswerEnd,
  ended: EndedRow | null,
): EndFacts {
  const { requestId, messageId, userId, begun, kind } = request
  const { model, run } = kind.plan
  return {
    ...{ requestId, messageId, userId },
    model: model.id,
    provider: model.provider,
    outcome: ended?.status ?? 'lost',
    error: error?.code,
    firstTextMs: firstTokenMs,
    ms: row.totalMs,
    input: run.input,
    // The text of an image answer is its address, not output of the model.
    output: run.price === undefined ? countSymbols(text) - countSymbols(begun) : 0,
    charged: ended?.runCharged ?? 0,
  }
}

export function noteEnd(log: Log, facts: EndFacts): void {
  const { outcome, model, charged } = facts
  countAnswer({ status: outcome, model, charged })
  log.info(facts, 'answers: answer ended')
}

function endOf(
  { request, text, thought, ending, ...state }: RunState,
  result: WriteResult,
  error: AnswerError | null,
): AnswerEnd {
  const { model, run } = request.kind.plan
  return {
    row: {
      id: request.messageId,
      run,
      content: text,
      status: error ? 'failed' : ending === 'lost' ? 'interrupted' : (ending ?? 'complete'),
      modelId: model.id,
      errorCode: error?.code ?? null,
      errorMessage: error?.message ?? null,
      firstTokenMs: state.firstTokenMs,
      totalMs: Math.round(performance.now() - state.startedAt),
      isEarlyStop:
        ending === 'stopped' &&
        text === request.begun &&
        state.isInFlight &&
        !error &&
        !(run.thoughtRate && thought !== request.begunThought),
    },
    begun: request.begun,
    thought,
    error,
    usage: result.usage,
    hasRunOut: ending === 'out_of_symbols',
  }
}

const messageGone: AnswerError = { code: 'not_found', message: 'Этого сообщения больше нет.' }
const emptyAnswer: AnswerError = {
  code: 'model_failed',
  message: 'Модель ничего не ответила. Повторите вопрос или выберите другую модель.',
}
const thoughtLimit: AnswerError = {
  code: 'thought_limit',
  message:
    'Модель думала, пока не исчерпала предел, и не успела ответить. Попросите ответить без размышлений или дайте ей больше.',
  isThoughtLimit: true,
}
const brokenOff: AnswerError = {
  code: 'model_failed',
  message: 'Ответ оборвался: модель его не дописала. Повторите вопрос или выберите другую модель.',
}
const internalError = (id: string): AnswerError => ({
  code: 'internal',
  message: `Что-то сломалось на нашей стороне. Номер обращения: ${id}`,
})

function answerErrorIn({ log }: FinishDeps, state: RunState, result: WriteResult): AnswerError | null {
  const { failure, reason, usage } = result
  if (state.ending === 'lost') return null
  if (failure) {
    const { error } = failure
    const known = answerErrorOf(error)
    const { messageId } = state.request
    if (error instanceof LlmError) log.warn({ err: error, messageId }, 'answers: the model failed')
    else if (!known) log.error({ err: error, messageId }, 'answers: writing an answer failed')
    if (error instanceof LlmError && error.isTemporary && state.text !== state.request.begun) return brokenOff
    return known ?? internalError(messageId)
  }
  if (reason === 'content_filter') return answerErrorOf(new LlmError('filter'))
  if (reason === null || state.text !== state.request.begun || state.ending) return null
  const hasThought = state.thought !== state.request.begunThought || (usage?.thoughtTokens ?? 0) > 0
  return reason === 'length' && hasThought ? thoughtLimit : emptyAnswer
}

/** The error to show for an exception; null for an unexpected one. */
export function answerErrorOf(error: unknown): AnswerError | null {
  if (error instanceof LlmError)
    return { code: 'model_failed', message: error.message, isRejection: error.kind === 'filter' }
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return null
}

export function errorOutcome({
  code,
  message,
}: {
  code: string
  message: string
}): Extract<Outcome, { type: 'error' }> {
  const status = code in errorStatus ? errorStatus[code as ErrorCode] : errorStatus.internal
  return { type: 'error', status, code, message }
}

/** The charge of a run: input, output and thought, or nothing without output. */
export function chargeFor({ input, ...rates }: Rates & { input: number }, output: number, extras: PricedExtras = {}) {
  return output > 0 ? price(input, output, rates, extras) : 0
}

/** «Временный чат. Остановлено до первого слова» */
export const joinNotes = (...notes: (string | undefined)[]) => notes.filter(Boolean).join('. ')

/** An early stop costs the input (or the image), except for the free stops of the day. */
export function earlyStop(run: AnswerRun, details: ChargeDetails): Settlement {
  const note = run.price !== undefined ? DROPPED_IMAGE_NOTE : EARLY_STOP_NOTE
  const symbols = run.price ?? price(run.input, 0, run)
  return { type: 'stop', key: run.hold, symbols, details: { ...details, note: joinNotes(run.note, note) } }
}

export async function outcomeOf(db: Db, found: EndedRow | MessageRow | string, hold?: string): Promise<Outcome> {
  const row = typeof found === 'string' ? await readRow(db, found) : found
  if (!row) return errorOutcome(messageGone)
  if (row.status === 'failed')
    return errorOutcome({ code: row.errorCode ?? 'internal', message: row.errorMessage ?? '' })
  const known = (row as Partial<EndedRow>).runCharged
  const charged = known ?? (hold === undefined ? row.charged : await chargedUnder(db, hold))
  const [message] = await toMessages(db, [row])
  if (!message) return errorOutcome(messageGone)
  return { type: 'done', message, charged, SingleSubscription: await singleSubscription(db, row.userId) }
}

async function readRow(db: Db, id: string): Promise<MessageRow | null> {
  const [row] = await db.select(messageColumns).from(messages).where(eq(messages.id, id))
  return row ?? null
}

/** The charge of a run that had already ended: its statement was committed, and only the acknowledgement was lost. */
async function chargedUnder(db: Db, hold: string): Promise<number> {
  const [entry] = await db
    .select({ symbols: ledger.symbols })
    .from(ledger)
    .where(eq(ledger.key, `hold:${hold}`))
  return entry ? -entry.symbols : 0
}

function publishEnd({ publish }: FinishDeps, { request: { userId, threadId, messageId } }: RunState): void {
  publish(userId, { topic: `thread:${threadId}`, type: 'finished', data: { messageId } })
  publish(userId, { topic: 'profile', type: 'balance', data: { threadId, messageId } })
}
