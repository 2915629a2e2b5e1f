import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Message } from '#contract/threads.ts'
import { messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { noSuchMessage } from '../threads/branch.ts'
import { toMessages } from '../threads/to-messages.ts'
import type { AttachDeps } from './attach.ts'
import { newestAnswer, ownMessage } from './own-message.ts'
import { isOrphaned, recoverAnswer } from './recover.ts'
import { requestStop } from './rows.ts'
import { endEarly } from './running.ts'

const ELSEWHERE_MS = 5000
const POLL_MS = 100

/** Ends an answer wherever it is written; of a question, its newest answer. One that has ended stays as it is. */
export async function stopAnswer(ctx: Ctx, deps: AttachDeps, threadId: string, messageId: string): Promise<Message> {
  const message = await ownMessage(ctx, threadId, messageId)
  const answer = message.role === 'assistant' ? message : await newestAnswer(ctx, message.id)
  if (!answer) throw noSuchMessage()
  const running = deps.engine.find(answer.id)
  if (running) {
    endEarly(running, 'stopped')
    await running.finished
  } else if (answer.status === 'streaming') await stopElsewhere(ctx, deps, answer.id)
  const [stopped] = await toMessages(ctx.db, [await ownMessage(ctx, threadId, answer.id)])
  if (!stopped) throw noSuchMessage()
  return stopped
}

/** The bus is quick and may be away; the row is sure, and its process looks at it with the next store. */
async function stopElsewhere(ctx: Ctx, { bus, log }: AttachDeps, messageId: string): Promise<void> {
  bus.send({ type: 'answer-stop', messageId })
  const until = Date.now() + ELSEWHERE_MS
  while (Date.now() < until) {
    await requestStop(ctx.db, messageId)
    const [row] = await ctx.db
      .select({ isOrphaned: sql<boolean>`${isOrphaned}` })
      .from(messages)
      .where(and(eq(messages.id, messageId), eq(messages.status, 'streaming')))
    if (!row) return
    if (row.isOrphaned) return void (await recoverAnswer({ db: ctx.db, publish: ctx.publish, log }, messageId))
    await pause(POLL_MS)
  }
  throw new AppError('unavailable', 'Ответ остановится через несколько секунд. Обновите страницу.', {
    retryAfterSeconds: 2,
  })
}
