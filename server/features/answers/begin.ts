import { eq } from 'drizzle-orm'
import { type AnswerRun, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { type Meter, openMeter } from '../billing/meter.ts'
import type { ChatImageDeps } from '../images/chat-picture.ts'
import type { ModelRow } from '../models/models.ts'
import type { MessageRow } from '../threads/branch.ts'
import type { AnswerContext, PromptInput, ReadFiles } from './context.ts'
import type { Engine } from './engine.ts'
import { type FindPassages, freshPassages, samePassages } from './passages.ts'
import { openPicture } from './picture.ts'
import { type CitedPassage, composePrompt, type PromptOrder } from './prompt.ts'
import type { NewQuestion } from './rows.ts'
import { takeHoldWithRows } from './start.ts'

export interface AskDeps {
  engine: Engine
  readFiles: ReadFiles
  findPassages: FindPassages
  pictures: ChatImageDeps
  /** Somebody has nothing left; perhaps only the notice of a renewal got lost. */
  onOutOfSymbols?: (userId: string) => void
}

export interface Beginning {
  promptInput: PromptInput
  /** Null for a question that is stored already. */
  question: NewQuestion | null
  answerTo: string
  /** The answer to go on with. */
  continued: MessageRow | null
}

/** Stores, holds, and lets the engine write; the id of the answer. */
export async function begin(ctx: Ctx, deps: AskDeps, answerContext: AnswerContext, beginning: Beginning) {
  const { engine, findPassages, pictures } = deps
  const { model, threadId } = answerContext
  const { continued } = beginning
  const messageId = continued?.id ?? newId()
  const giveBack = engine.reserve()
  try {
    const instance = engine.instance()
    const opened =
      model.kind === 'image'
        ? await openPicture(ctx, pictures, answerContext, beginning, messageId, instance)
        : await openText(ctx, findPassages, answerContext, beginning, messageId, instance)
    engine.begin({ messageId, threadId, userId: ctx.user.id, begun: continued?.content ?? '', ...opened })
  } catch (error) {
    if (error instanceof AppError && error.code === 'out_of_symbols') deps.onOutOfSymbols?.(ctx.user.id)
    throw error
  } finally {
    giveBack()
  }
  const publish = (topic: string, type: string, data: object) => ctx.publish(ctx.user.id, { topic, type, data })
  publish(`thread:${threadId}`, 'answering', { messageId })
  publish('threads', 'changed', { id: threadId })
  return messageId
}

async function passagesFor(
  ctx: Ctx,
  find: FindPassages,
  { assistant }: AnswerContext,
  continued: MessageRow | null,
  order: Omit<PromptOrder, 'passages'>,
): Promise<CitedPassage[]> {
  if (!assistant) return []
  return continued?.citations
    ? samePassages(ctx.db, assistant.id, continued.citations)
    : freshPassages(ctx, find, assistant.id, order)
}

async function openText(
  ctx: Ctx,
  findPassages: FindPassages,
  answerContext: AnswerContext,
  beginning: Beginning,
  messageId: string,
  instance: string,
) {
  const { model, threadId } = answerContext
  const { continued, promptInput } = beginning
  const { contextSymbols, maxOutputSymbols } = model
  const instructions = answerContext.assistant?.instructions ?? ''
  const order = { ...promptInput, instructions, contextSymbols, maxOutputSymbols }
  const passages = await passagesFor(ctx, findPassages, answerContext, continued, order)
  const prompt = composePrompt({ ...order, passages })
  // A passage that is gone since can still be named in what was said.
  const citations = continued?.citations ?? prompt.citations
  const rates = { inputRate: model.inputRate, outputRate: model.outputRate }
  const run: AnswerRun = {
    hold: `answer:${messageId}:${newId()}`,
    offset: continued?.content.length ?? 0,
    input: prompt.input,
    ...rates,
  }
  const fallback = await fallbackOf(ctx, model)
  const details = { modelId: model.id, threadId, messageId }
  const meter: Meter = await openMeter(
    ctx.db,
    { key: run.hold, userId: ctx.user.id, kind: 'answer', input: prompt.input, rates, details, instance },
    takeHoldWithRows(ctx, answerContext, beginning, {
      kind: 'answer',
      messageId,
      run,
      parts: prompt.parts,
      citations,
      instance,
    }),
  )
  const maxTokens = maxTokensWithin(maxOutputSymbols, meter.limit)
  return {
    run,
    speech: { model, fallback, messages: prompt.messages, maxTokens, userId: ctx.user.id },
    meter,
    maxOutputSymbols,
  }
}

/** A token is seldom shorter than a symbol, so as many tokens as symbols are always enough. */
function maxTokensWithin(...limits: (number | null)[]): number | undefined {
  const known = limits.filter((limit) => limit !== null)
  return known.length > 0 ? Math.max(1, Math.min(...known)) : undefined
}

async function fallbackOf({ db }: Ctx, { fallbackId }: ModelRow): Promise<ModelRow | null> {
  if (fallbackId === null) return null
  const [fallback] = await db.select().from(models).where(eq(models.id, fallbackId))
  return fallback ?? null
}
