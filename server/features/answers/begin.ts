import { eq } from 'drizzle-orm'
import { type AnswerRun, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { type Meter, openMeter } from '../billing/meter.ts'
import type { PictureWorld } from '../images/chat-picture.ts'
import type { ModelRow } from '../models/models.ts'
import type { MessageRow } from '../threads/branch.ts'
import type { Engine } from './engine.ts'
import type { Material, ReadFiles } from './material.ts'
import { openPicture } from './picture.ts'
import { composePrompt } from './prompt.ts'
import type { NewQuestion } from './rows.ts'
import type { Situation } from './situation.ts'
import { takeHoldWithRows } from './start.ts'

export interface AskWorld {
  engine: Engine
  readFiles: ReadFiles
  pictures: PictureWorld
}

export interface Beginning {
  material: Material
  /** Null for a question that is stored already. */
  question: NewQuestion | null
  answerTo: string
  /** The answer to go on with. */
  continued: MessageRow | null
}

/** Stores, holds, and lets the engine write; the id of the answer. */
export async function begin(ctx: Ctx, { engine, pictures }: AskWorld, situation: Situation, beginning: Beginning) {
  if (!engine.isOpen()) throw new AppError('unavailable', 'Сервер перезапускается. Повторите через минуту.')
  const { model, threadId } = situation
  const { continued } = beginning
  const messageId = continued?.id ?? newId()
  const opened =
    model.kind === 'image'
      ? await openPicture(ctx, pictures, situation, beginning, messageId)
      : await openText(ctx, situation, beginning, messageId)
  engine.begin({ messageId, threadId, userId: ctx.user.id, begun: continued?.content ?? '', ...opened })
  const tell = (topic: string, type: string, data: object) => ctx.publish(ctx.user.id, { topic, type, data })
  tell(`thread:${threadId}`, 'answering', { messageId })
  tell('threads', 'changed', { id: threadId })
  return messageId
}

async function openText(ctx: Ctx, situation: Situation, beginning: Beginning, messageId: string) {
  const { model, threadId } = situation
  const { contextSymbols, maxOutputSymbols } = model
  const prompt = composePrompt({ ...beginning.material, instructions: '', contextSymbols, maxOutputSymbols })
  const rates = { inputRate: model.inputRate, outputRate: model.outputRate }
  const run: AnswerRun = {
    hold: `answer:${messageId}:${newId()}`,
    offset: beginning.continued?.content.length ?? 0,
    input: prompt.input,
    ...rates,
  }
  const fallback = await fallbackOf(ctx, model)
  const details = { modelId: model.id, threadId, messageId }
  const meter: Meter = await openMeter(
    ctx.db,
    { key: run.hold, userId: ctx.user.id, kind: 'answer', input: prompt.input, rates, details },
    takeHoldWithRows(ctx, situation, beginning, { kind: 'answer', messageId, run, parts: prompt.parts }),
  )
  const maxTokens = fence(maxOutputSymbols, meter.limit)
  return { run, speech: { model, fallback, messages: prompt.messages, maxTokens }, meter, maxOutputSymbols }
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
