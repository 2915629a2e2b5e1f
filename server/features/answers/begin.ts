import { eq } from 'drizzle-orm'
import { type AnswerRun, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { type Meter, openMeter } from '../billing/meter.ts'
import type { ModelRow } from '../models/models.ts'
import { type MessageRow, noSuchMessage } from '../threads/branch.ts'
import { brokenRule, NO_PARENT } from './broken-rule.ts'
import type { Engine } from './engine.ts'
import { type FindExcerpts, freshPassages, samePassages } from './excerpts.ts'
import type { Material, ReadFiles } from './material.ts'
import { type CitedPassage, composePrompt, type Prompt, type PromptOrder } from './prompt.ts'
import { type NewQuestion, startRows } from './rows.ts'
import type { Situation } from './situation.ts'

export interface AskWorld {
  engine: Engine
  readFiles: ReadFiles
  findExcerpts: FindExcerpts
}

interface Beginning {
  material: Material
  /** Null for a question that is stored already. */
  question: NewQuestion | null
  answerTo: string
  /** The answer to go on with. */
  continued: MessageRow | null
}

/** Stores, holds, and lets the engine write; the id of the answer. */
export async function begin(ctx: Ctx, { engine, findExcerpts }: AskWorld, situation: Situation, beginning: Beginning) {
  if (!engine.isOpen()) throw new AppError('unavailable', 'Сервер перезапускается. Повторите через минуту.')
  const { model, threadId } = situation
  const { contextSymbols, maxOutputSymbols } = model
  const { continued } = beginning
  const instructions = situation.assistant?.instructions ?? ''
  const order = { ...beginning.material, instructions, contextSymbols, maxOutputSymbols }
  const passages = await passagesFor(ctx, findExcerpts, situation, continued, order)
  const prompt = composePrompt({ ...order, passages })
  const messageId = continued?.id ?? newId()
  const run: AnswerRun = {
    hold: `answer:${messageId}:${newId()}`,
    offset: continued?.content.length ?? 0,
    input: prompt.input,
    inputRate: model.inputRate,
    outputRate: model.outputRate,
  }
  const fallback = await fallbackOf(ctx, model)
  const meter = await openAnswerMeter(ctx, situation, beginning, { messageId, run, prompt })
  engine.begin({
    messageId,
    threadId,
    userId: ctx.user.id,
    begun: continued?.content ?? '',
    run,
    speech: { model, fallback, messages: prompt.messages, maxTokens: fence(maxOutputSymbols, meter.limit) },
    meter,
    maxOutputSymbols,
  })
  const tell = (topic: string, type: string, data: object) => ctx.publish(ctx.user.id, { topic, type, data })
  tell(`thread:${threadId}`, 'answering', { messageId })
  tell('threads', 'changed', { id: threadId })
  return messageId
}

async function passagesFor(
  ctx: Ctx,
  find: FindExcerpts,
  { assistant }: Situation,
  continued: MessageRow | null,
  order: Omit<PromptOrder, 'passages'>,
): Promise<CitedPassage[]> {
  if (!assistant) return []
  return continued?.sources
    ? samePassages(ctx.db, assistant.id, continued.sources)
    : freshPassages(ctx, find, assistant.id, order)
}

interface Opening {
  messageId: string
  run: AnswerRun
  prompt: Prompt
}

/** The first hold and the rows that hang on it are one statement. */
function openAnswerMeter(
  ctx: Ctx,
  { model, threadId }: Situation,
  { question, answerTo, continued }: Beginning,
  { messageId, run, prompt }: Opening,
): Promise<Meter> {
  const createdAt = new Date()
  const { parts } = prompt
  // A passage that is gone since can still be named in what was said.
  const sources = continued?.sources ?? prompt.sources
  const answer = { id: messageId, parentId: answerTo, isContinued: continued !== null, parts, sources, run }
  const start = { userId: ctx.user.id, threadId, modelId: model.id, question, answer, createdAt }
  const rates = { inputRate: model.inputRate, outputRate: model.outputRate }
  const details = { modelId: model.id, threadId, messageId }
  return openMeter(
    ctx.db,
    { key: run.hold, userId: ctx.user.id, kind: 'answer', input: prompt.input, rates, details },
    async (symbols, leaseUntil) => (await startRows(ctx.db, start, symbols, leaseUntil)).outcome,
  ).catch((error: unknown) => {
    // What is answered was deleted a moment ago.
    throw brokenRule(error) === NO_PARENT ? noSuchMessage() : error
  })
}

/** A token is seldom shorter than a symbol, so as many tokens as symbols are always enough. */
function fence(...limits: (number | null)[]): number | undefined {
  const known = limits.filter((limit) => limit !== null)
  return known.length > 0 ? Math.max(1, Math.min(...known)) : undefined
}

async function fallbackOf({ db }: Ctx, { fallbackId }: ModelRow): Promise<ModelRow | null> {
  if (fallbackId === null) return null
  const [fallback] = await db.select().from(models).where(eq(models.id, fallbackId))
  return fallback ?? null
}
