import { countSymbols } from '#contract/billing.ts'
import { MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { type ChatImageDeps, openChatPicture } from '../images/chat-picture.ts'
import { checkStorageLimit, priceOf } from '../images/create.ts'
import type { MessageRow } from '../threads/branch.ts'
import type { AnswerContext, PromptInput } from './context.ts'
import type { NewQuestion } from './rows.ts'
import { takeHoldWithRows } from './start.ts'

interface Asked {
  promptInput: PromptInput
  question: NewQuestion | null
  answerTo: string
  continued: MessageRow | null
}

/** An answer that is a picture, drawn by the words of the question. */
export async function openPicture(
  ctx: Ctx,
  pictures: ChatImageDeps,
  answerContext: AnswerContext,
  asked: Asked,
  messageId: string,
  instance: string,
) {
  const { model, threadId } = answerContext
  const prompt = descriptionIn(asked.promptInput)
  const price = priceOf(model)
  await checkStorageLimit(ctx)
  const run: AnswerRun = {
    hold: `answer:${messageId}:${newId()}`,
    offset: 0,
    input: 0,
    inputRate: 0,
    outputRate: 0,
    price,
  }
  const { say, meter } = await openChatPicture(
    pictures,
    ctx,
    { key: run.hold, userId: ctx.user.id, threadId, messageId, model, prompt, price },
    takeHoldWithRows(ctx, answerContext, asked, {
      kind: 'image',
      messageId,
      run,
      parts: onlyQuestion(prompt),
      citations: [],
      instance,
    }),
  )
  return {
    run,
    speech: { model, fallback: null, messages: [], maxTokens: undefined, userId: ctx.user.id, say },
    meter,
    maxOutputSymbols: null,
  }
}

function descriptionIn({ question, begun }: PromptInput): string {
  const prompt = question.content.trim()
  if (begun !== '') throw new AppError('conflict', 'Картинку нельзя продолжить. Попросите ответить заново.')
  if (question.documents.length > 0) throw refused('Эта модель рисует только по описанию. Уберите файлы.', 'fileIds')
  if (prompt === '') throw refused('Опишите, что нарисовать.')
  if (countSymbols(prompt) > MAX_IMAGE_PROMPT)
    throw refused(`Описание картинки не длиннее ${MAX_IMAGE_PROMPT} символов. Сократите его.`)
  return prompt
}

const refused = (message: string, field = 'content') => new AppError('bad_request', message, { field })

const onlyQuestion = (prompt: string) => ({
  question: countSymbols(prompt),
  history: 0,
  historyMessages: 0,
  cutMessages: 0,
  instructions: 0,
  files: 0,
  passages: 0,
})
