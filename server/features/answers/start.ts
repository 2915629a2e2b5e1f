import type { InputParts, Source } from '#contract/threads.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { TakeHold } from '../billing/meter.ts'
import { type MessageRow, noSuchMessage } from '../threads/branch.ts'
import { brokenRule, NO_PARENT } from './broken-rule.ts'
import { type NewQuestion, startRows } from './rows.ts'
import type { Situation } from './situation.ts'

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
  sources: Source[]
  /** The process that will write it. */
  instance: string
}

/** The first hold and the rows that hang on it are one statement. */
export function takeHoldWithRows(
  ctx: Ctx,
  { model, threadId }: Situation,
  { question, answerTo, continued }: Asked,
  { kind, messageId, run, parts, sources, instance }: Start,
): TakeHold {
  const answer = { id: messageId, parentId: answerTo, isContinued: continued !== null, parts, sources, run }
  const start = { userId: ctx.user.id, threadId, modelId: model.id, kind, question, answer, instance }
  return async (symbols) => {
    try {
      return (await startRows(ctx.db, start, symbols)).outcome
    } catch (error) {
      // What is answered was deleted a moment ago.
      throw brokenRule(error) === NO_PARENT ? noSuchMessage() : error
    }
  }
}
