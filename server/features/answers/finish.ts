import { eq, type SQL, sql } from 'drizzle-orm'
import { countSymbols, price } from '#contract/billing.ts'
import type { MessageStatus } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, ledger, messages } from '#server/db/schema.ts'
import { countAnswer } from '#server/http/metrics.ts'
import { withoutSecrets } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import { whileAway } from '#server/work/retry.ts'
import { type ChargeDetails, chargeRow, settleCall, stopCall } from '../billing/ledger.ts'
import { EARLY_STOP_NOTE } from '../billing/meter.ts'
import { singleSubscription } from '../billing/single-subscription.ts'
import { DROPPED_IMAGE_NOTE } from '../images/finish.ts'
import { costOfTokens, costOfUnits } from '../models/cost.ts'
import { type MessageRow, messageColumns } from '../threads/branch.ts'
import { toMessages } from '../threads/to-messages.ts'
import type { EngineDeps, StreamResult } from './deps.ts'
import { type AnswerError, answerErrorOf, emptyAnswer, errorOutcome, type Outcome } from './outcome.ts'
import { disown, type EndedRow, endRun, type RunEnd } from './rows.ts'
import type { Writable } from './running.ts'

const DAY_MS = 86_400_000

/** Keeps the answer and its charge in one statement, and says how it ended. A database that is away is waited for. */
export async function finishAnswer(deps: EngineDeps, answer: Writable, result: StreamResult): Promise<Outcome> {
  const { db, log } = deps
  const { messageId } = answer.order
  const answerError = answerErrorIn(deps, answer, result)
  const retry = {
    forMs: DAY_MS,
    onRetry: (error: unknown) => log.warn({ err: error, messageId }, 'an answer is not kept yet'),
  }
  try {
    const row = await whileAway(() => keep(db, answer, result, answerError), retry)
    const outcome = await whileAway(() => outcomeOf(db, row ?? messageId, answer.order.run.hold), retry)
    countAnswer({ status: row?.status ?? 'lost', model: answer.order.speech.model.id })
    publishEnd(deps, answer)
    return outcome
  } catch (error) {
    log.error({ err: error, messageId }, 'an answer could not be kept')
    await whileAway(() => disown(db, messageId, answer.order.run.hold), retry).catch((failure: unknown) =>
      log.error({ err: failure, messageId }, 'an answer could not be given up'),
    )
    return errorOutcome(unknownError(messageId))
  }
}

const gone: AnswerError = { code: 'not_found', message: 'Этого сообщения больше нет.' }
const unknownError = (id: string): AnswerError => ({
  code: 'internal',
  message: `Что-то сломалось на нашей стороне. Номер обращения: ${id}`,
})

function answerErrorIn({ log }: EngineDeps, answer: Writable, { failure, reason }: StreamResult): AnswerError | null {
  if (answer.ending === 'lost') return null
  if (failure) {
    const known = answerErrorOf(failure.error)
    const { messageId } = answer.order
    if (failure.error instanceof LlmError) {
      log.warn(
        { messageId, kind: failure.error.kind, details: withoutSecrets(failure.error.details) },
        'a model failed',
      )
    } else if (!known) log.error({ err: failure.error, messageId }, 'an answer failed')
    return known ?? unknownError(messageId)
  }
  if (reason === 'content_filter') return answerErrorOf(new LlmError('filter'))
  return reason !== null && answer.text === answer.order.begun && !answer.ending ? emptyAnswer : null
}

/** What a run costs: nothing if it said nothing, else the question and what is kept of the answer. */
export function chargeFor(
  { input, ...rates }: { input: number; inputRate: number; outputRate: number },
  output: number,
) {
  return output > 0 ? price(input, output, rates) : 0
}

async function keep(
  db: Db,
  answer: Writable,
  result: StreamResult,
  answerError: AnswerError | null,
): Promise<EndedRow | null> {
  const { order, text, ending } = answer
  const { run, speech, messageId, threadId } = order
  const { model } = speech
  const status: MessageStatus = answerError ? 'failed' : ending === 'lost' ? 'interrupted' : (ending ?? 'complete')
  const isPicture = model.kind === 'image'
  const output = isPicture ? 0 : countSymbols(text) - countSymbols(order.begun)
  const end = {
    id: messageId,
    run,
    content: text,
    status,
    modelId: model.id,
    errorCode: answerError?.code ?? null,
    errorMessage: answerError?.message ?? null,
    output,
    firstTokenMs: answer.firstTokenMs,
    totalMs: Math.round(performance.now() - answer.startedAt),
    isEarlyStop: ending === 'stopped' && text === order.begun && answer.isAsked && !answerError,
    cost: isPicture ? costOfUnits(model, 1) : costOfTokens(model, result.usage, { input: run.input, output }),
  } satisfies Omit<RunEnd, 'settle'>
  if (isPicture) return keepPicture(db, answer, end, answerError)
  const { hold: _, offset: __, ...priced } = run
  const details = { modelId: model.id, threadId, messageId, ...priced, output }
  if (end.isEarlyStop) return endRun(db, { ...end, settle: earlyStopCall(run, details) })
  // Symbols that end before the first whole letter have paid for the question.
  const spoken = ending === 'out_of_symbols' ? price(run.input, output, run) : chargeFor(run, output)
  const charge = answerError && !answerError.isRejection ? 0 : spoken
  return endRun(db, { ...end, settle: chargeRow(settleCall(run.hold, charge, details)) })
}

/** A question that was sent and not waited for costs its input, but for the first such stops of a day. */
export function earlyStopCall(run: AnswerRun, details: ChargeDetails): SQL {
  const note = run.price !== undefined ? DROPPED_IMAGE_NOTE : EARLY_STOP_NOTE
  return stopCall(run.hold, run.price ?? price(run.input, 0, run), { ...details, note })
}

/** A picture is charged with its own row, in the transaction that ends the answer. */
async function keepPicture(db: Db, answer: Writable, end: Omit<RunEnd, 'settle'>, answerError: AnswerError | null) {
  const { meter } = answer.order
  if (answerError) meter.forget()
  return db.transaction(async (tx) => {
    const { charged, freeStop } = await meter.settle(tx, end)
    return endRun(tx, { ...end, settle: sql`select ${charged}::bigint as charged, ${freeStop}::int as free_stop` })
  })
}

/** How an answer ended, as its row says. */
export async function outcomeOf(db: Db, found: EndedRow | MessageRow | string, hold?: string): Promise<Outcome> {
  const row = typeof found === 'string' ? await readRow(db, found) : found
  if (!row) return errorOutcome(gone)
  if (row.status === 'failed')
    return errorOutcome({ code: row.errorCode ?? 'internal', message: row.errorMessage ?? '' })
  const known = (row as Partial<EndedRow>).runCharged
  const charged = known ?? (hold === undefined ? row.charged : await chargedUnder(db, hold))
  const [message] = await toMessages(db, [row])
  if (!message) return errorOutcome(gone)
  return { type: 'done', message, charged, SingleSubscription: await singleSubscription(db, row.userId) }
}

async function readRow(db: Db, id: string): Promise<MessageRow | null> {
  const [row] = await db.select(messageColumns).from(messages).where(eq(messages.id, id))
  return row ?? null
}

/** What a run that ended earlier was charged: its statement was carried out, and only the word of it was lost. */
async function chargedUnder(db: Db, hold: string): Promise<number> {
  const [entry] = await db
    .select({ symbols: ledger.symbols })
    .from(ledger)
    .where(eq(ledger.key, `hold:${hold}`))
  return entry ? -entry.symbols : 0
}

function publishEnd({ publish }: EngineDeps, { order: { userId, threadId, messageId } }: Writable): void {
  publish(userId, { topic: `thread:${threadId}`, type: 'finished', data: { messageId } })
  publish(userId, { topic: 'threads', type: 'changed', data: { id: threadId } })
  publish(userId, { topic: 'profile', type: 'balance', data: null })
}
