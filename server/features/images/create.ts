import { and, asc, eq, isNull } from 'drizzle-orm'
import type { ImageSize, ImageSkills } from '#contract/image-skills.ts'
import { type Image, type ImageRequest, MAX_IMAGES_AT_ONCE, MAX_IMAGES_BYTES } from '#contract/images.ts'
import type { Db } from '#server/db/client.ts'
import { images, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError, notFound, priceRisenError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { pgErrorCode, UNIQUE_VIOLATION } from '../../db/transactions.ts'
import { type HoldOutcome, hold } from '../billing/ledger.ts'
import { outOfSymbols } from '../billing/meter.ts'
import type { ModelRow } from '../models/models.ts'
import type { StoredChange } from './draw.ts'
import type { ImageQueue } from './image-queue.ts'
import { imageUsage } from './images.ts'
import { holdKeyOf, imageColumns, publishBalance, publishImage, toImage } from './rows.ts'

/** How long an order waits for an unavailable database. */
const WAIT_MS = 10_000

/** Starts drawing and returns at once. The same order again returns the existing images. */
export async function createImages(ctx: Ctx, imageQueue: ImageQueue, request: ImageRequest): Promise<Image[]> {
  const batchId = request.id ?? newId()
  const existing = request.id === undefined ? [] : await batchOf(ctx, batchId)
  if (existing.length > 0) return existing
  const { model, price } = await drawingModel(ctx.db, request.modelId)
  assertNamedPrice(price * request.n, request.most)
  checkSkills(imageQueue.skillsOf(model), request)
  await checkStorageLimit(ctx)
  const order = { ...request, modelId: model.id, price, instance: imageQueue.instance() }
  return startDrawing(ctx, imageQueue, { batchId, model, rows: newRows(ctx.user.id, batchId, order) })
}

interface Order {
  batchId: string
  model: ModelRow
  rows: OrderRow[]
  change?: StoredChange
}

type OrderRow = typeof images.$inferInsert & { instance: string }

/** Stores the holds and rows of an order and begins with it. */
export async function startDrawing(
  ctx: Ctx,
  imageQueue: ImageQueue,
  { batchId, model, rows, change }: Order,
): Promise<Image[]> {
  if (!imageQueue.isOpen()) {
    throw new AppError('unavailable', 'Сервер перезапускается. Повторите через несколько секунд.', {
      retryAfterSeconds: 1,
    })
  }
  try {
    await retryWhileUnavailable(() => storeBatch(ctx.db, rows), { forMs: WAIT_MS })
  } catch (error) {
    const stored = await batchOf(ctx, batchId)
    const isOurs = stored.some(({ id }) => id === rows[0]?.id)
    // The same order was sent twice at once, and the other request stored it first.
    if (stored.length > 0 && !isOurs) return stored
    if (pgErrorCode(error) === UNIQUE_VIOLATION && !isOurs)
      throw new AppError('conflict', 'Под этим ID картинки уже были. Повторите с другим.', {
        field: 'id',
        cause: error,
      })
    // Our rows were committed and only the acknowledgement was lost: continue with drawing.
    if (!isOurs) throw error
  }
  const { form, partial } = imageQueue.skillsOf(model)
  for (const { id, prompt, size, price, transparent = false } of rows) {
    imageQueue.begin({
      id,
      userId: ctx.user.id,
      price,
      model,
      showsPartial: partial,
      request: { model: model.providerModel, prompt, size, form, transparent, seed: id, userId: ctx.user.id },
      ...(change ? { change } : {}),
    })
    publishImage(ctx.publish, ctx.user.id, id)
  }
  publishBalance(ctx.publish, ctx.user.id)
  return batchOf(ctx, batchId)
}

/** Throws for what the model cannot do. */
export function checkSkills(
  { sizes, transparent: canBeTransparent }: ImageSkills,
  { size, transparent }: { size: ImageSize; transparent?: boolean | undefined },
): void {
  if (size !== 'auto' && !sizes.includes(size))
    throw new AppError('bad_request', 'Эта модель не рисует в такой форме. Выберите другую форму.', { field: 'size' })
  if (transparent && !canBeTransparent)
    throw new AppError('bad_request', 'Эта модель не рисует на прозрачном фоне.', { field: 'transparent' })
}

export async function drawingModel(db: Db, id: string): Promise<{ model: ModelRow; price: number }> {
  const [model] = await db
    .select()
    .from(models)
    .where(and(eq(models.id, id), eq(models.hidden, false)))
  if (!model) throw notFound('Такой модели нет')
  if (model.kind !== 'image')
    throw new AppError('bad_request', 'Эта модель не рисует. Выберите модель изображений.', { field: 'modelId' })
  return { model, price: priceOf(model) }
}

export function assertNamedPrice(price: number, most = Number.POSITIVE_INFINITY): void {
  if (price <= most) return
  const [now, named] = [price, most].map((symbols) => symbols.toLocaleString('ru-RU'))
  throw priceRisenError(`Теперь это стоит ${now} символов, а было названо ${named}. Ничего не списано.`)
}

export function priceOf({ imagePrice }: ModelRow): number {
  if (imagePrice === null)
    throw new AppError('conflict', 'У этой модели не указана цена картинки. Выберите другую или напишите в поддержку.')
  return imagePrice
}

export async function checkStorageLimit(ctx: Ctx): Promise<void> {
  const { bytes } = await imageUsage(ctx)
  if (bytes < MAX_IMAGES_BYTES) return
  const limit = MAX_IMAGES_BYTES / 1024 ** 3
  throw new AppError(
    'payload_too_large',
    `Ваши изображения занимают ${limit} ГБ, больше не помещается. Удалите те, что больше не нужны.`,
  )
}

function newRows(userId: string, batchId: string, request: ImageRequest & { price: number; instance: string }) {
  const { n, id: _, ...image } = request
  const now = Date.now()
  return Array.from(
    { length: n },
    (_, position) =>
      ({
        ...image,
        id: newId(now),
        userId,
        batchId,
        position,
        state: 'making',
        createdAt: new Date(now - position),
      }) satisfies OrderRow,
  )
}

/** Stores all holds and rows, or none. */
async function storeBatch(db: Db, rows: OrderRow[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, userId, price, instance } of rows) {
      const request = { key: holdKeyOf(id), userId, kind: 'image', symbols: price, instance } as const
      const outcome = await hold(tx, { ...request, most: MAX_IMAGES_AT_ONCE })
      if (outcome !== 'held') throw holdRejection(outcome)
    }
    await tx.insert(images).values(rows)
  })
}

export function holdRejection(outcome: HoldOutcome): AppError {
  if (outcome === 'busy')
    return new AppError(
      'too_many_requests',
      `Сразу рисуется не больше ${MAX_IMAGES_AT_ONCE} картинок. Дождитесь хотя бы одной.`,
    )
  return outOfSymbols(outcome, 'Не хватает символов на картинку. Пополните баланс или выберите другую модель.')
}

export async function batchOf({ db, user }: Ctx, batchId: string): Promise<Image[]> {
  const rows = await db
    .select(imageColumns)
    .from(images)
    .where(and(eq(images.userId, user.id), eq(images.batchId, batchId), isNull(images.deletedAt)))
    .orderBy(asc(images.position))
  return rows.map(toImage)
}
