import type { Citation, InputParts } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { isTransient, whileAway } from '#server/work/retry.ts'
import { FOREIGN_KEY_VIOLATION, pgErrorCode } from '../../db/pg-error.ts'
import type { TakeHold } from '../billing/meter.ts'
import { type MessageRow, noSuchMessage } from '../threads/branch.ts'
import type { AnswerContext } from './context.ts'
import { disown, type NewQuestion, startRows } from './rows.ts'

interface Asked {
  question: NewQuestion | null
  answerTo: string
  continued: MessageRow | null
}

interface Start {
  kind: 'answer' | 'image'
  messageId: string
  run: AnswerRun
  parts: InputParts
  citations: Citation[]
  /** The process that will write it. */
  instance: string
}

/** A database that blinks is waited for; whoever sends waits with it. */
const WAIT_MS = 10_000
const DAY_MS = 86_400_000

/** It may have begun all the same: then nobody writes it here, and recovery ends it. */
function giveUpLater(db: Db, messageId: string, hold: string): void {
  void whileAway(() => disown(db, messageId, hold), { forMs: DAY_MS }).catch(() => {})
}

/** The first hold and the rows that hang on it are one statement. */
export function takeHoldWithRows(
  ctx: Ctx,
  { model, threadId }: AnswerContext,
  { question, answerTo, continued }: Asked,
  { kind, messageId, run, parts, citations, instance }: Start,
): TakeHold {
  const answer = { id: messageId, parentId: answerTo, isContinued: continued !== null, parts, citations, run }
  const start = { userId: ctx.user.id, threadId, modelId: model.id, kind, question, answer, instance }
  let tries = 0
  return async (symbols) => {
    try {
      const { outcome } = await whileAway(
        () => {
          tries += 1
          return startRows(ctx.db, start, symbols)
        },
        { forMs: WAIT_MS },
      )
      // The key is this run's own: what is known of it was done by a try whose acknowledgement was lost.
      return outcome === 'repeated' && tries > 1 ? 'held' : outcome
    } catch (error) {
      if (isTransient(error)) giveUpLater(ctx.db, messageId, run.hold)
      // What is answered was deleted a moment ago.
      throw pgErrorCode(error) === FOREIGN_KEY_VIOLATION ? noSuchMessage() : error
    }
  }
}
