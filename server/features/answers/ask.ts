import type { SendMessage } from '#contract/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { pgErrorCode, UNIQUE_VIOLATION } from '../../db/pg-error.ts'
import { type MessageRow, noSuchMessage } from '../threads/branch.ts'
import { type AnswerContext, loadAnswerContext } from './answer-context.ts'
import { type AskDeps, begin } from './begin.ts'
import { newestAnswer, ownMessage } from './own-message.ts'
import { admitPictures, newQuestion, readHistory, readQuestion } from './prompt-input.ts'

type NewQuestionParts = Required<Pick<SendMessage, 'id' | 'fileIds'>>

/** Each verb begins an answer and says its id; whoever wants to read it attaches to that. */

/** Stores the question and begins its answer. Sending the same message again finds the same answer. */
export async function sendMessage(ctx: Ctx, deps: AskDeps, threadId: string, sent: SendMessage): Promise<string> {
  const { content, fileIds = [], id = newId() } = sent
  if (content.trim() === '' && fileIds.length === 0) {
    throw new AppError('bad_request', 'Поле content: напишите сообщение.', { field: 'content' })
  }
  const known = async () => (sent.id === undefined ? null : answerToKnown(ctx, threadId, sent.id))
  try {
    return await askNew(ctx, deps, threadId, { ...sent, content, fileIds, id })
  } catch (error) {
    // The same message may have come twice at once, and the other was first: its answer is in the way of this one.
    const answer = await known()
    if (answer) return answer
    if (pgErrorCode(error) === UNIQUE_VIOLATION) throw takenId(error)
    throw error
  }
}

/** The id belongs to a message of another thread or person, or to an answer. */
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

/** Another answer to a stored question; the former ones stay beside it. */
export async function regenerate(ctx: Ctx, deps: AskDeps, threadId: string, messageId: string, modelId?: string) {
  const answerContext = await loadAnswerContext(ctx, threadId, modelId)
  const message = await ownMessage(ctx, threadId, messageId)
  const question = message.role === 'user' ? message : await questionOf(ctx, message)
  return again(ctx, deps, answerContext, question, null)
}

/** Goes on with an answer that ended too early, in the same message. */
export async function continueAnswer(ctx: Ctx, deps: AskDeps, threadId: string, messageId: string, modelId?: string) {
  const answer = await ownMessage(ctx, threadId, messageId)
  if (answer.role !== 'assistant') throw new AppError('bad_request', 'Продолжить можно только ответ.')
  if (answer.status === 'streaming') throw new AppError('conflict', 'Ответ ещё пишется.')
  const answerContext = await loadAnswerContext(ctx, threadId, modelId)
  return again(ctx, deps, answerContext, await questionOf(ctx, answer), answer)
}

async function again(
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
