import { countSymbols } from '#contract/billing.ts'
import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_FILE, MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import type { ImageSkills } from '#contract/image-skills.ts'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, images } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { release, settle, settleStop } from '../billing/ledger.ts'
import { alreadyHeldError } from '../billing/meter.ts'
import { changePriceOf, readChange } from '../images/change.ts'
import { checkStorageLimit, holdRejection, priceOf } from '../images/create.ts'
import { type DrawTask, partialPublisher, prepareDrawing } from '../images/draw.ts'
import { DROPPED_IMAGE_NOTE, IMAGE_NOTE } from '../images/finish.ts'
import { deleteStoredImage, publishImage, type StoredImage } from '../images/rows.ts'
import { costOfUnits, imageSkillsOf, type ModelRow } from '../models/models.ts'
import { type AnswerInput, type AnswerOwner, beginExchange, type OpenedAnswer, runMarks } from './begin.ts'
import type { AnswerContext, PromptInput } from './context.ts'
import type { AnswersDeps } from './deps.ts'
import { joinNotes } from './finish.ts'
import { endRun } from './rows.ts'
import type { AnswerEnd, AnswerKind } from './run-state.ts'

type ImageDeps = Pick<AnswersDeps, 'providers' | 'storage'>

/** Holds the price of an image together with the rows of its question and answer. */
export async function openImageAnswer(
  ctx: Ctx,
  deps: ImageDeps,
  context: AnswerContext,
  input: AnswerInput,
  { messageId, instance }: AnswerOwner,
): Promise<OpenedAnswer> {
  const { model, threadId } = context
  const prompt = descriptionIn(input.promptInput)
  const { imageId } = input.question
  const skills = imageSkillsOf(deps.providers, model)
  const change = imageId ? await readChange(ctx, { imageId, skills, area: null, exampleIds: [], size: 'auto' }) : null
  const price = change ? changePriceOf(model, skills) : priceOf(model)
  await checkStorageLimit(ctx)
  const run: AnswerRun = {
    hold: `answer:${messageId}:${newId()}`,
    offset: 0,
    input: 0,
    inputRate: 0,
    outputRate: 0,
    price,
    ...runMarks(context, input),
  }
  const draft = {
    id: messageId,
    kind: 'image' as const,
    run,
    parts: onlyQuestion(prompt),
    citations: [],
    masked: null,
    instance,
  }
  const { outcome, rows } = await beginExchange(ctx, context, input, draft, price)
  if (outcome === 'repeated') throw alreadyHeldError()
  if (outcome !== 'held') throw holdRejection(outcome)
  const drawing = { run, price, userId: ctx.user.id, threadId, messageId, model, skills, prompt, change }
  return { kind: imageAnswer(ctx, deps, drawing), maxOutputSymbols: null, rows }
}

function descriptionIn({ question, begun }: PromptInput): string {
  const prompt = question.content.trim()
  if (begun !== '') throw new AppError('conflict', 'Картинку нельзя продолжить. Попросите ответить заново.')
  if (question.documents.length > 0)
    throw invalidField('Эта модель рисует только по описанию. Уберите файлы.', 'fileIds')
  if (prompt === '') throw invalidField('Опишите, что нарисовать.')
  if (countSymbols(prompt) > MAX_IMAGE_PROMPT)
    throw invalidField(`Описание картинки не длиннее ${MAX_IMAGE_PROMPT} символов. Сократите его.`)
  return prompt
}

const invalidField = (message: string, field = 'content') => new AppError('bad_request', message, { field })

const onlyQuestion = (prompt: string) => ({
  question: countSymbols(prompt),
  history: 0,
  historyMessages: 0,
  cutMessages: 0,
  instructions: 0,
  files: 0,
  passages: 0,
  personal: 0,
})

interface Drawing {
  run: AnswerRun
  userId: string
  threadId: string
  messageId: string
  model: ModelRow
  skills: ImageSkills
  prompt: string
  price: number
  /** The image that is changed; null when one is drawn. */
  change: Awaited<ReturnType<typeof readChange>> | null
}

/** An answer whose text is the Markdown of an image. The text is written once the image is drawn and stored. */
function imageAnswer({ publish }: Pick<Ctx, 'publish'>, deps: ImageDeps, drawing: Drawing): AnswerKind {
  const { model, prompt, run } = drawing
  const id = newId()
  let stored: StoredImage | null = null

  /** Charges the image with its row, or a stop, or nothing; in the transaction that ends the answer. */
  async function charge(tx: Db, { row, error }: AnswerEnd) {
    if (stored && row.content !== '' && !error) return chargeImage(tx, publish, drawing, id, stored)
    if (stored) void deleteStoredImage(deps.storage, stored)
    if (row.isEarlyStop) return chargeStop(tx, drawing)
    await release(tx, run.hold)
    return { charged: 0, freeStop: null }
  }

  return {
    plan: { model, run },
    // The address is stored together with the image: alone it would be a broken link.
    storesChunks: false,
    write: async ({ abort: { signal } }, { onText, onInFlight }) => {
      const askModel = await prepareDrawing(deps, taskOf(publish, id, drawing))
      onInFlight(true)
      try {
        stored = await askModel(signal)
      } catch (error) {
        if (!signal.aborted) onInFlight(false)
        throw error
      }
      onText(asMarkdown(id, prompt))
      return { reason: 'stop', usage: null }
    },
    payFor: async (text) => text,
    payForNow: (text) => text,
    payForHidden: async () => {},
    settle: (db, end) =>
      db.transaction(async (tx) => {
        const settle = { type: 'ended' as const, ...(await charge(tx, end)) }
        return endRun(tx, { ...end.row, output: 0, cost: costOfUnits(model, 1), settle })
      }),
  }
}

/** Unfinished images are named by the answer, which the page knows already. */
function taskOf(publish: Publish, id: string, { messageId, userId, model, skills, prompt, change }: Drawing): DrawTask {
  const { form, partial } = skills
  const onPartial = partialPublisher({ publish }, { id: messageId, userId })
  const request = { model: model.providerModel, prompt, size: 'auto' as const, form, seed: id, userId }
  return {
    id,
    provider: model.provider,
    request: { ...request, ...(partial && { onPartial }) },
    change: change?.stored,
  }
}

/** A stop after the provider was called costs the price, except for the free stops of the day. */
async function chargeStop(db: Db, { run, threadId, messageId, model, price }: Drawing) {
  const details = { modelId: model.id, threadId, messageId, note: joinNotes(run.note, DROPPED_IMAGE_NOTE) }
  const { charged, freeStop } = await settleStop(db, run.hold, price, details)
  return { charged: charged ?? 0, freeStop }
}

async function chargeImage(db: Db, publish: Publish, drawing: Drawing, id: string, stored: StoredImage) {
  const { run, userId, threadId, messageId, model, prompt, price, change } = drawing
  const note = joinNotes(run.note, IMAGE_NOTE)
  const outcome = await settle(db, run.hold, price, { modelId: model.id, threadId, messageId, note })
  // An earlier attempt was committed, and only its acknowledgement was lost.
  if (outcome !== 'done') return { charged: 0, freeStop: null }
  const row = {
    id,
    userId,
    batchId: id,
    position: 0,
    prompt,
    modelId: model.id,
    size: 'auto',
    threadId,
    messageId,
  } as const
  await db.insert(images).values({ ...row, ...change?.columns, ...stored, state: 'ready', price, charged: price })
  afterCommit(() => publishImage(publish, userId, id))
  return { charged: price, freeStop: null }
}

/** The description becomes the alternative text, without characters that Markdown would interpret. */
function asMarkdown(id: string, prompt: string): string {
  const alt = prompt.replace(/[\s[\]\\<>`*_!()]+/g, ' ').trim()
  return `![${alt}](${fillPath(IMAGE_FILE, { id })})`
}
