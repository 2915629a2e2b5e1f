import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Message, SendMessage } from '#contract/threads.ts'
import { messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { pgErrorCode, TAKEN } from '../../db/pg-error.ts'
import { type MessageRow, noSuchMessage } from '../threads/branch.ts'
import { toMessages } from '../threads/to-messages.ts'
import type { AttachDeps } from './attach.ts'
import { type AskDeps, begin } from './begin.ts'
import {
  type AnswerContext,
  admitPictures,
  loadAnswerContext,
  newQuestion,
  readHistory,
  readQuestion,
} from './context.ts'
import { isOrphaned, recoverAnswer } from './recover.ts'
import { newestAnswer, ownMessage, requestStop } from './rows.ts'
import { endEarly } from './running.ts'

type NewQuestionParts = Required<Pick<SendMessage, 'id' | 'fileIds'>>

/** Stores the question and starts its answer. Sending the same message again finds the same answer. */
export async function sendMessage(ctx: Ctx, deps: AskDeps, threadId: string, sent: SendMessage): Promise<string> {
  const { content, fileIds = [], id = newId() } = sent
  if (content.trim() === '' && fileIds.length === 0) {
    throw new AppError('bad_request', 'Поле content: напишите сообщение.', { field: 'content' })
  }
  const known = async () => (sent.id === undefined ? null : answerToKnown(ctx, threadId, sent.id))
  try {
    return await askNew(ctx, deps, threadId, { ...sent, content, fileIds, id })
  } catch (error) {
    // The same message may have been sent twice at once, and the other request stored its answer first.
    const answer = await known()
    if (answer) return answer
    if (pgErrorCode(error) === TAKEN) throw takenId(error)
    throw error
  }
}

/** The id belongs to a message of another thread or user, or to an answer. */
const takenId = (cause: unknown) =>
  new AppError('conflict', 'Сообщение с таким ID уже есть. Отправьте своё с другим.', { field: 'id', cause })

async function askNew(ctx: Ctx, deps: AskDeps, threadId: string, sent: SendMessage & NewQuestionParts) {
  const { content, fileIds, id } = sent
  const answerContext = await loadAnswerContext(ctx, threadId, sent.modelId, id)
  if (answerContext.answerId !== null) return answerContext.answerId
  const parentId = sent.parentId === undefined ? answerContext.leafId : sent.parentId
  const question = await newQuestion(ctx, deps.readFiles, answerContext, content, fileIds)
  const history = await readHistory(ctx, deps.readFiles, answerContext, parentId)
  return begin(ctx, deps, answerContext, {
    promptInput: await admitPictures(ctx, answerContext, { history, question, begun: '' }),
    question: { id, parentId, content, fileIds },
    answerTo: id,
    continued: null,
  })
}

/** Another answer to a stored question; the earlier answers stay as its siblings. */
export async function regenerate(ctx: Ctx, deps: AskDeps, threadId: string, messageId: string, modelId?: string) {
  const answerContext = await loadAnswerContext(ctx, threadId, modelId)
  const message = await ownMessage(ctx, threadId, messageId)
  const question = message.role === 'user' ? message : await questionOf(ctx, message)
  return answerStored(ctx, deps, answerContext, question, null)
}

/** Continues an answer that ended too early, in the same message. */
export async function continueAnswer(ctx: Ctx, deps: AskDeps, threadId: string, messageId: string, modelId?: string) {
  const answer = await ownMessage(ctx, threadId, messageId)
  if (answer.role !== 'assistant') throw new AppError('bad_request', 'Продолжить можно только ответ.')
  if (answer.status === 'streaming') throw new AppError('conflict', 'Ответ ещё пишется.')
  const answerContext = await loadAnswerContext(ctx, threadId, modelId)
  return answerStored(ctx, deps, answerContext, await questionOf(ctx, answer), answer)
}

async function answerStored(
  ctx: Ctx,
  deps: AskDeps,
  answerContext: AnswerContext,
  question: MessageRow,
  continued: MessageRow | null,
) {
  const promptInput = await admitPictures(ctx, answerContext, {
    history: await readHistory(ctx, deps.readFiles, answerContext, question.parentId),
    question: await readQuestion(ctx, deps.readFiles, answerContext, question),
    begun: continued?.content ?? '',
  })
  return begin(ctx, deps, answerContext, { promptInput, question: null, answerTo: question.id, continued })
}

async function questionOf(ctx: Ctx, answer: MessageRow): Promise<MessageRow> {
  if (answer.parentId === null) throw noSuchMessage()
  return ownMessage(ctx, answer.threadId, answer.parentId)
}

async function answerToKnown(ctx: Ctx, threadId: string, questionId: string): Promise<string | null> {
  const answer = await newestAnswer(ctx, questionId)
  return answer?.threadId === threadId ? answer.id : null
}

const STOP_ELSEWHERE_MS = 5000
const STOP_POLL_MS = 100

/** Stops an answer on any instance; for a question, its newest answer. A finished answer stays as it is. */
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

/** The bus is fast but may be down; the request in the row is read by the writing process at its next store. */
async function stopElsewhere(ctx: Ctx, { bus, log }: AttachDeps, messageId: string): Promise<void> {
  bus.send({ type: 'answer-stop', messageId })
  const until = Date.now() + STOP_ELSEWHERE_MS
  while (Date.now() < until) {
    await requestStop(ctx.db, messageId)
    const [row] = await ctx.db
      .select({ isOrphaned: sql<boolean>`${isOrphaned}` })
      .from(messages)
      .where(and(eq(messages.id, messageId), eq(messages.status, 'streaming')))
    if (!row) return
    if (row.isOrphaned) return void (await recoverAnswer({ db: ctx.db, publish: ctx.publish, log }, messageId))
    await pause(STOP_POLL_MS)
  }
  throw new AppError('unavailable', 'Ответ остановится через несколько секунд. Обновите страницу.', {
    retryAfterSeconds: 2,
  })
}
