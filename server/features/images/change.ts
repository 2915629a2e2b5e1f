import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Area } from '#contract/image-area.ts'
import type { ImageSize, ImageSkills } from '#contract/image-skills.ts'
import type { Image, ImageChange } from '#contract/images.ts'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import { MAX_AREA_PIXELS } from '#server/files/image-area.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { ModelRow } from '../models/models.ts'
import {
  assertNamedPrice,
  batchOf,
  checkSkills,
  checkStorageLimit,
  drawingModel,
  priceOf,
  startDrawing,
} from './create.ts'
import { imageGone, type StoredChange } from './draw.ts'
import type { ImageQueue } from './image-queue.ts'
import { imageColumns, imageNotFound, ownImage, toImage } from './rows.ts'

/** Starts changing an image and returns at once. The result is another image, which knows where it came from. */
export async function changeImage(ctx: Ctx, imageQueue: ImageQueue, id: string, request: ImageChange): Promise<Image> {
  const batchId = request.id ?? newId()
  const [existing] = request.id === undefined ? [] : await batchOf(ctx, batchId)
  if (existing) return existing
  const { model } = await drawingModel(ctx.db, request.modelId)
  const skills = imageQueue.skillsOf(model)
  const price = changePriceOf(model, skills)
  assertNamedPrice(price, request.most)
  const change = await readChange(ctx, { imageId: id, skills, ...request })
  await checkStorageLimit(ctx)
  const row = {
    id: newId(),
    userId: ctx.user.id,
    batchId,
    position: 0,
    prompt: request.prompt,
    modelId: model.id,
    size: request.size,
    transparent: request.transparent ?? false,
    state: 'making' as const,
    price,
    instance: imageQueue.instance(),
    ...change.columns,
  }
  const [made] = await startDrawing(ctx, imageQueue, { batchId, model, rows: [row], change: change.stored })
  if (!made) throw imageNotFound()
  return made
}

export function changePriceOf(model: ModelRow, { changePrice }: ImageSkills): number {
  return changePrice ?? priceOf(model)
}

interface ChangeTerms {
  imageId: string
  skills: ImageSkills
  area: Area | null
  exampleIds: string[]
  size: ImageSize
  transparent?: boolean | undefined
}

/** Checks what is to be changed and by whom; gives the columns of the new version and the keys of its images. */
export async function readChange({ db, user }: Pick<Ctx, 'db' | 'user'>, terms: ChangeTerms) {
  const { imageId, skills, area, exampleIds, size } = terms
  if (!skills.changes)
    throw new AppError('bad_request', 'Эта модель рисует, но не меняет картинки. Выберите другую.', {
      field: 'modelId',
    })
  if (exampleIds.length > skills.examples) throw tooManyExamples(skills.examples)
  checkSkills(skills, terms)
  if (area && size !== 'auto')
    throw new AppError(
      'bad_request',
      'С выделением форма картинки не меняется. Уберите выделение или выберите «Прежняя».',
      {
        field: 'size',
      },
    )
  const known = await readyImages(db, user.id, [imageId, ...exampleIds])
  const image = known.get(imageId)
  if (!image) throw imageGone()
  if (area && (image.width ?? 0) * (image.height ?? 0) > MAX_AREA_PIXELS)
    throw new AppError('bad_request', 'Картинки больше 16 мегапикселей меняются только целиком. Уберите выделение.', {
      field: 'area',
    })
  const exampleKeys = exampleIds.map((id) => {
    const example = known.get(id)
    if (!example)
      throw new AppError('bad_request', 'Одного из примеров уже нет. Уберите его и повторите.', { field: 'exampleIds' })
    return example.storageKey
  })
  const columns = {
    origin: 'changed' as const,
    parentId: imageId,
    rootId: image.rootId ?? imageId,
    area,
    exampleIds: exampleIds.length > 0 ? exampleIds : null,
  }
  const isPhoto = image.origin === 'uploaded' || (await isOfPhoto(db, user.id, image.rootId))
  const stored: StoredChange = { imageKey: image.storageKey, exampleKeys, area, skills, isPhoto }
  return { columns, stored }
}

function tooManyExamples(most: number): AppError {
  const sentence =
    most === 0 ? 'Эта модель не учитывает образцы. Уберите их.' : `Образцов для этой модели — не больше ${most}.`
  return new AppError('bad_request', sentence, { field: 'exampleIds' })
}

async function readyImages(db: Db, userId: string, ids: string[]) {
  const { id, storageKey, rootId, origin, width, height } = images
  const rows = await db
    .select({ id, storageKey, rootId, origin, width, height })
    .from(images)
    .where(and(inArray(id, ids), eq(images.userId, userId), eq(images.state, 'ready'), isNull(images.deletedAt)))
  return new Map(rows.flatMap((row) => (row.storageKey ? [[row.id, { ...row, storageKey: row.storageKey }]] : [])))
}

/** The first version may be deleted by now; its row stays. */
async function isOfPhoto(db: Db, userId: string, rootId: string | null): Promise<boolean> {
  if (rootId === null) return false
  return (
    (await db.$count(images, and(eq(images.id, rootId), eq(images.userId, userId), eq(images.origin, 'uploaded')))) > 0
  )
}

/** The image with everything that it was changed from and into, oldest first. */
export async function versionsOf({ db, user }: Ctx, id: string): Promise<Image[]> {
  const [image] = await db.select({ rootId: images.rootId }).from(images).where(ownImage(user.id, id))
  if (!image) throw imageNotFound()
  const rootId = image.rootId ?? id
  const rows = await db
    .select(imageColumns)
    .from(images)
    .where(
      and(eq(images.userId, user.id), isNull(images.deletedAt), or(eq(images.id, rootId), eq(images.rootId, rootId))),
    )
    .orderBy(asc(images.createdAt), asc(images.id))
  return rows.map(toImage)
}

export async function areaOf({ db, user }: Ctx, id: string): Promise<{ area: Area | null }> {
  const [row] = await db.select({ area: images.area }).from(images).where(ownImage(user.id, id))
  if (!row) throw imageNotFound()
  return row
}
