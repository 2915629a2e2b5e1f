import { setTimeout as pause } from 'node:timers/promises'
import { countSymbols } from '#contract/billing.ts'
import type { MessageStatus } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { withoutSecrets } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import { singleSubscription } from '../billing/single-subscription.ts'
import { costOfPieces } from '../models/piece-cost.ts'
import type { MessageRow } from '../threads/branch.ts'
import { shapeMessages } from '../threads/message-shape.ts'
import { costOf } from './cost.ts'
import { emptyAnswer, errorOutcome, type Fault, faultOf, type Outcome } from './outcome.ts'
import { endRow } from './rows.ts'
import type { Running } from './running.ts'
import type { EngineWorld, Heard } from './world.ts'

type Ended = Omit<Running, 'finished'>

const WAITS_MS = [200, 1000, 5000, 15_000]

/** Keeps the answer and its charge in one transaction, and tells how it ended. */
export async function finishAnswer(world: EngineWorld, answer: Ended, heard: Heard): Promise<Outcome> {
  const fault = faultIn(world, answer, heard)
  // A failed answer is free, whatever was said of it.
  if (fault) answer.order.meter.forget()
  try {
    const { row, charged } = await keepForSure(world, answer, heard, fault)
    tell(world, answer)
    return row && !fault ? await doneOutcome(world.db, row, charged) : errorOutcome(fault ?? gone)
  } catch (error) {
    world.log.error({ err: error, messageId: answer.order.messageId }, 'an answer could not be kept')
    // What is stored of it stays, and the sweeper charges for just that.
    return errorOutcome(unknownFault(answer.order.messageId))
  }
}

/** A database that is away for a moment is waited for. */
async function keepForSure({ db, log }: EngineWorld, answer: Ended, heard: Heard, fault: Fault | null) {
  const status = fault ? 'failed' : (answer.ending ?? 'complete')
  for (const wait of WAITS_MS) {
    try {
      return await db.transaction((tx) => keep(tx, answer, heard, status, fault))
    } catch (error) {
      log.warn({ err: error, messageId: answer.order.messageId }, 'an answer is not kept yet; once more')
      await pause(wait)
    }
  }
  return db.transaction((tx) => keep(tx, answer, heard, status, fault))
}

const gone: Fault = { code: 'not_found', message: 'Этого сообщения больше нет.' }
const unknownFault = (id: string): Fault => ({
  code: 'internal',
  message: `Что-то сломалось на нашей стороне. Номер обращения: ${id}`,
})

function faultIn({ log }: EngineWorld, answer: Ended, { failure, reason }: Heard): Fault | null {
  if (failure) {
    const known = faultOf(failure.error)
    const { messageId } = answer.order
    if (failure.error instanceof LlmError) {
      log.warn(
        { messageId, fault: failure.error.fault, details: withoutSecrets(failure.error.details) },
        'a model failed',
      )
    } else if (!known) log.error({ err: failure.error, messageId }, 'an answer failed')
    return known ?? unknownFault(messageId)
  }
  if (reason === 'content_filter') return faultOf(new LlmError('filter'))
  return reason !== null && answer.text === answer.order.begun && !answer.ending ? emptyAnswer : null
}

async function keep(tx: Db, answer: Ended, heard: Heard, status: MessageStatus, fault: Fault | null) {
  const { order, text } = answer
  const { model } = order.speech
  const { charged } = await order.meter.settle(tx)
  const isPicture = model.kind === 'image'
  const output = isPicture ? 0 : countSymbols(text) - countSymbols(order.begun)
  const row = await endRow(tx, order.messageId, order.run.hold, {
    content: text,
    status,
    modelId: model.id,
    errorCode: fault?.code ?? null,
    errorMessage: fault?.message ?? null,
    charged,
    input: charged > 0 ? order.run.input : 0,
    output: charged > 0 ? output : 0,
    firstTokenMs: answer.firstTokenMs,
    totalMs: Math.round(performance.now() - answer.startedAt),
    cost: isPicture ? costOfPieces(model, 1) : costOf(model, heard.usage, { input: order.run.input, output }),
  })
  return { row, charged }
}

export async function doneOutcome(db: Db, row: MessageRow, charged: number): Promise<Outcome> {
  const [message] = await shapeMessages(db, [row])
  if (!message) return errorOutcome(gone)
  return { type: 'done', message, charged, SingleSubscription: await singleSubscription(db, row.userId) }
}

function tell({ publish }: EngineWorld, { order: { userId, threadId, messageId } }: Ended): void {
  publish(userId, { topic: `thread:${threadId}`, type: 'finished', data: { messageId } })
  publish(userId, { topic: 'threads', type: 'changed', data: { id: threadId } })
  publish(userId, { topic: 'profile', type: 'balance', data: null })
}
