import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '#contract/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { noSuchMessage } from '../threads/branch.ts'
import { shapeMessages } from '../threads/message-shape.ts'
import type { AttachWorld } from './attach.ts'
import { newestAnswer, ownMessage } from './own-message.ts'
import { isDead, recoverAnswer } from './recover.ts'
import { endEarly } from './running.ts'

const ELSEWHERE_MS = 5000
const LOOK_MS = 100

/** Ends an answer wherever it is written; of a question, its newest answer. One that has ended stays as it is. */
export async function stopAnswer(ctx: Ctx, world: AttachWorld, threadId: string, messageId: string): Promise<Message> {
  const message = await ownMessage(ctx, threadId, messageId)
  const answer = message.role === 'assistant' ? message : await newestAnswer(ctx, message.id)
  if (!answer) throw noSuchMessage()
  const running = world.engine.find(answer.id)
  if (running) {
    endEarly(running, 'stopped')
    await running.finished
  } else if (answer.status === 'streaming') await stopElsewhere(ctx, world, threadId, answer.id)
  const [stopped] = await shapeMessages(ctx.db, [await ownMessage(ctx, threadId, answer.id)])
  if (!stopped) throw noSuchMessage()
  return stopped
}

async function stopElsewhere(ctx: Ctx, { bus }: AttachWorld, threadId: string, messageId: string): Promise<void> {
  bus.send({ type: 'answer-stop', messageId })
  const until = Date.now() + ELSEWHERE_MS
  while (Date.now() < until) {
    const row = await ownMessage(ctx, threadId, messageId)
    if (row.status !== 'streaming') return
    if (isDead(row)) return recoverAnswer(ctx, messageId)
    await pause(LOOK_MS)
  }
  throw new AppError('unavailable', 'Ответ не остановился. Повторите через несколько секунд.')
}
