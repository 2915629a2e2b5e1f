import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { AnswerAgain, Regenerate, SendMessage } from '#contract/answers.ts'
import type { Message, ThreadAnswerFields } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import { pgErrorCode, UNIQUE_VIOLATION } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Bus } from '#server/realtime/bus.ts'
import { assertInCountry } from '../models/countries.ts'
import { markStale } from '../summaries/stored.ts'
import { type MessageRow, noSuchMessage, toMessages } from '../threads/message-rows.ts'
import type { AnswerInput, ExchangeRows, RequestedWeb } from './begin.ts'
import {
  type AnswerContext,
  admitImages,
  loadAnswerContext,
  newQuestion,
  readHistory,
  readQuestion,
} from './context.ts'
import type { AnswersDeps } from './deps.ts'
import { openImageAnswer } from './image-answer.ts'
import { isOrphaned, recoverAnswer } from './recover.ts'
import { newestAnswer, ownMessage, requestStop, requestStopsOf } from './rows.ts'
import { endEarly } from './run-state.ts'
import { findOwnAnswer, type OwnAnswer, type StreamDeps } from './stream.ts'
import { openTextAnswer } from './text-answer.ts'

/** Stores the question and starts its answer. Sending the same message again finds the same answer. */
export async function sendMessage(
  ctx: Ctx,
  deps: AnswersDeps,
  threadId: string,
  message: SendMessage,
): Promise<OwnAnswer> {
  const { content, fileIds = [], imageId = null, id = newId() } = message
  if (content.trim() === '' && fileIds.length === 0) {
    throw new AppError('bad_request', 'Напишите сообщение.', { field: 'content' })
  }
  try {
    const context = await loadAnswerContext(ctx, threadId, message.modelId, id)
    if (context.answerId !== null) return await findOwnAnswer(ctx, deps, threadId, context.answerId)
    const parentId = message.parentId === undefined ? context.leafId : message.parentId
    const web = await webOptionsOf(ctx, deps, content, message)
    const question = await newQuestion(ctx, deps.readFiles, context, content, fileIds)
    const before = await readHistory(ctx, deps.readFiles, context, parentId)
    return await launchAnswer(ctx, deps, context, {
      promptInput: await admitImages(ctx, context, { ...before, question, begun: '' }),
      question: { id, parentId, content, fileIds, imageId },
      continued: null,
      thinking: message.thinking,
      web,
      asIs: message.asIs,
    })
  } catch (error) {
    // The same message may have been sent twice at once, and the other request stored its answer first.
    const answer = message.id === undefined ? null : await newestAnswer(ctx, message.id)
    if (answer?.threadId === threadId) return findOwnAnswer(ctx, deps, threadId, answer.id)
    if (pgErrorCode(error) === UNIQUE_VIOLATION) throw takenId(error)
    throw error
  }
}

/** Each search and each page counts towards its limit. */
async function webOptionsOf(
  { user }: Ctx,
  { web, limits }: AnswersDeps,
  content: string,
  { web: search = false, pages = [] }: Pick<SendMessage, 'web' | 'pages'>,
): Promise<RequestedWeb | null> {
  if (!search && pages.length === 0) return null
  if (search && !web.search)
    throw new AppError('bad_request', 'Поиск в интернете здесь не подключён. Отправьте вопрос без поиска.', {
      field: 'web',
    })
  if (pages.some((page) => !content.includes(page)))
    throw new AppError('bad_request', 'Прочитать можно только страницу, адрес которой есть в сообщении.', {
      field: 'pages',
    })
  if (search) await limits('web-searches', user.id)
  for (const _ of pages) await limits('web-pages', user.id)
  return { search: search !== false, pages: [...new Set(pages)], ...(search === 'detailed' && { detailed: true }) }
}

/** The id belongs to a message of another thread or user, or to an answer. */
const takenId = (cause: unknown) =>
  new AppError('conflict', 'Сообщение с таким ID уже есть. Отправьте своё с другим.', { field: 'id', cause })

/** Another answer to a stored question; the earlier answers stay as its siblings. */
export async function regenerate(
  ctx: Ctx,
  deps: AnswersDeps,
  threadId: string,
  messageId: string,
  again: Regenerate = {},
) {
  const { thinking, asIs } = again
  const context = await loadAnswerContext(ctx, threadId, again.modelId)
  const message = await ownMessage(ctx, threadId, messageId)
  const question = message.role === 'user' ? message : await questionOf(ctx, message)
  const mayThinkMore = message.errorCode === 'thought_limit'
  const web = await webOptionsOf(ctx, deps, question.content, again)
  return answerStored(ctx, deps, context, { question, continued: null, thinking, asIs, mayThinkMore, web })
}

/** Continues an answer that ended too early, in the same message. */
export async function continueAnswer(
  ctx: Ctx,
  deps: AnswersDeps,
  threadId: string,
  messageId: string,
  again: AnswerAgain = {},
) {
  const { thinking, asIs } = again
  const answer = await ownMessage(ctx, threadId, messageId)
  if (answer.role !== 'assistant') throw new AppError('bad_request', 'Продолжить можно только ответ.')
  if (answer.status === 'streaming') throw new AppError('conflict', 'Ответ ещё пишется.')
  const context = await loadAnswerContext(ctx, threadId, again.modelId)
  if (context.hasSummary) await markStale(ctx.db, ctx.user.id, threadId, messageId)
  const question = await questionOf(ctx, answer)
  return answerStored(ctx, deps, context, { question, continued: answer, thinking, asIs })
}

async function answerStored(
  ctx: Ctx,
  deps: AnswersDeps,
  context: AnswerContext,
  input: Omit<AnswerInput, 'promptInput'> & { question: MessageRow },
): Promise<OwnAnswer> {
  const { question, continued } = input
  const promptInput = await admitImages(ctx, context, {
    ...(await readHistory(ctx, deps.readFiles, context, question.parentId)),
    question: await readQuestion(ctx, deps.readFiles, context, question),
    begun: continued?.content ?? '',
  })
  return launchAnswer(ctx, deps, context, { ...input, promptInput })
}

async function questionOf(ctx: Ctx, answer: MessageRow): Promise<MessageRow> {
  if (answer.parentId === null) throw noSuchMessage()
  return ownMessage(ctx, answer.threadId, answer.parentId)
}

/** Stores the exchange with its hold and lets the engine write the answer. */
async function launchAnswer(
  ctx: Ctx,
  deps: AnswersDeps,
  context: AnswerContext,
  input: AnswerInput,
): Promise<OwnAnswer> {
  const { engine } = deps
  const { threadId } = context
  assertInCountry(deps.providers, context.country, context.model)
  if (input.question.imageId && context.model.kind !== 'image')
    throw new AppError('bad_request', 'Эта модель не меняет картинки. Выберите другую или уберите картинку.', {
      field: 'imageId',
    })
  const userId = ctx.user.id
  const messageId = input.continued?.id ?? newId()
  const releaseCapacity = engine.reserve()
  try {
    const owner = { messageId, instance: engine.instance() }
    const open = context.model.kind === 'image' ? openImageAnswer : openTextAnswer
    const { rows, ...opened } = await open(ctx, deps, context, input, owner)
    const { content: begun = '', thought: begunThought = '' } = input.continued ?? {}
    const owned = { messageId, threadId, userId, requestId: ctx.request?.id, begun, begunThought }
    const { title, summary } = context.followUp
    const followUp = { title: title && input.question.parentId === null, summary }
    const running = engine.run({ ...owned, ...opened, followUp })
    const publish = (topic: string, type: string, data: object) => ctx.publish(userId, { topic, type, data })
    publish(`thread:${threadId}`, 'answering', { messageId })
    publish('threads', 'changed', { id: threadId, ...movedThread(context, messageId, rows) })
    return { threadId, messageId, running, rows }
  } catch (error) {
    if (error instanceof AppError && error.code === 'out_of_symbols') deps.onOutOfSymbols?.(userId)
    throw error
  } finally {
    releaseCapacity()
  }
}

/** All that an exchange changes in its thread, so that pages need not refetch their lists. */
function movedThread(
  { model }: AnswerContext,
  currentLeafId: string,
  { thread }: ExchangeRows,
): { change?: ThreadAnswerFields } {
  if (!thread) return {}
  const { version, updatedAt } = thread
  const Model = { id: model.id, name: model.name }
  return { change: { version, updatedAt: updatedAt.toISOString(), currentLeafId, Model } }
}

const STOP_ELSEWHERE_MS = 5000
const STOP_POLL_MS = 100

/** Stops an answer on any instance; for a question, its newest answer. A finished answer stays as it is. */
export async function stopAnswer(ctx: Ctx, deps: StreamDeps, threadId: string, messageId: string): Promise<Message> {
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

/** Stops all answers of a user, on every instance, without waiting for their end. */
export async function stopAnswersOf({ db, bus }: { db: Db; bus: Bus }, userId: string): Promise<void> {
  await requestStopsOf(db, userId)
  bus.send({ type: 'answers-stop', userId })
}

/** The bus is fast but may be down; the request in the row is read by the writing process at its next store. */
async function stopElsewhere(ctx: Ctx, { bus, log }: StreamDeps, messageId: string): Promise<void> {
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
