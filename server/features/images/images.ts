import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import {
  type Image,
  type ImageFilter,
  type ImageRemoved,
  type ImagesRemoved,
  type ImageUsage,
  MAX_IMAGES_BYTES,
} from '#contract/images.ts'
import type { Db } from '#server/db/client.ts'
import { images, models } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { likeLiteral } from '#server/features/prompts/listing.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { release, settleStop } from '../billing/ledger.ts'
import { costOfUnits } from '../models/models.ts'
import { recordCall } from '../models/side-costs.ts'
import { DROPPED_IMAGE_NOTE } from './finish.ts'
import type { ImageQueue } from './image-queue.ts'
import {
  deleteStoredImage,
  holdKeyOf,
  imageColumns,
  imageNotFound,
  ownImage,
  publishBalance,
  publishImage,
  toImage,
} from './rows.ts'

/** Newest first. The cursor is a position in time, so new images do not shift pages. */
export async function listImages({ db, user }: Ctx, filter: ImageFilter): Promise<Page<Image[]>> {
  const { limit, cursor, query } = filter
  const rows = await db
    .select(imageColumns)
    .from(images)
    .where(
      and(
        eq(images.userId, user.id),
        isNull(images.deletedAt),
        query?.trim() ? matchesQuery(query.trim()) : undefined,
        cursor === undefined ? undefined : isAfterCursor(cursor),
      ),
    )
    .orderBy(desc(images.createdAt), desc(images.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit).map(toImage)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return new Page(items, last ? `${last.createdAt.getTime()}.${last.id}` : null)
}

/** Matches all words in any form, or the query as a substring. */
function matchesQuery(query: string): SQL | undefined {
  return or(
    sql`${images.search} @@ plainto_tsquery('russian', translate(${query}, 'ёЁ', 'еЕ'))`,
    sql`translate(lower(${images.prompt}), 'ё', 'е') like ${`%${likeLiteral(query)}%`}`,
  )
}

function isAfterCursor(cursor: string): SQL {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (!time || !id)
    throw new AppError('bad_request', 'Такой страницы списка нет. Откройте его с начала.', { field: 'cursor' })
  return sql`(${images.createdAt}, ${images.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`
}

export async function getImage({ db, user }: Ctx, id: string): Promise<Image> {
  const [row] = await db.select(imageColumns).from(images).where(ownImage(user.id, id))
  if (!row) throw imageNotFound()
  return toImage(row)
}

export async function imageUsage({ db, user }: Ctx): Promise<ImageUsage> {
  const [used] = await db
    .select({
      count: sql`count(*)`.mapWith(Number),
      bytes: sql`coalesce(sum(${images.bytes}), 0)`.mapWith(Number),
    })
    .from(images)
    .where(and(eq(images.userId, user.id), isNull(images.deletedAt), eq(images.state, 'ready')))
  return { count: used?.count ?? 0, bytes: used?.bytes ?? 0, limit: MAX_IMAGES_BYTES }
}

interface DeleteDeps {
  storage: Storage
  imageQueue: ImageQueue
}

export async function deleteImage(ctx: Ctx, deps: DeleteDeps, id: string): Promise<ImageRemoved> {
  const { ids, charged, free } = await deleteImages(ctx, deps, [id])
  if (ids.length === 0) throw imageNotFound()
  return { id, charged, free }
}

/**
 * Erases descriptions and bytes. An image that is still being drawn is cancelled; if the provider was already called,
 * it costs its price, except for the free stops of the day.
 */
export async function deleteImages(
  ctx: Ctx,
  { storage, imageQueue }: DeleteDeps,
  ids: string[],
): Promise<ImagesRemoved> {
  const { db, user, publish } = ctx
  const { id, state, storageKey, thumbKey, wholeKey } = images
  const removed = await db.transaction(async (tx) => {
    const rows = await tx
      .select({
        id,
        state,
        storageKey,
        thumbKey,
        wholeKey,
        userId: images.userId,
        requested: images.requested,
        price: images.price,
        modelId: images.modelId,
      })
      .from(images)
      .where(and(inArray(id, ids), eq(images.userId, user.id), isNull(images.deletedAt)))
      // Locked in a fixed order, so that parallel deletions cannot deadlock.
      .orderBy(id)
      .for('update')
    if (rows.length === 0) return { rows, charged: 0, free: null }
    await tx
      .update(images)
      .set({
        ...erasedColumns,
        deletedAt: new Date(),
        state: sql`case ${state} when 'making' then 'failed' else ${state} end`,
      })
      .where(
        inArray(
          id,
          rows.map((row) => row.id),
        ),
      )
    const stops = []
    for (const row of rows) if (row.state === 'making') stops.push(await endCancelled(tx, row))
    afterCommit(() => {
      for (const row of rows) publishImage(publish, user.id, row.id, 'removed')
      if (rows.some((row) => row.state === 'making')) publishBalance(publish, user.id)
    })
    const free = Math.max(0, ...stops.map(({ freeStop }) => freeStop ?? 0)) || null
    return { rows, charged: stops.reduce((sum, { charged }) => sum + charged, 0), free }
  })
  for (const row of removed.rows) {
    imageQueue.cancel(row.id)
    await deleteStoredImage(storage, row)
  }
  return { ids: removed.rows.map((row) => row.id), charged: removed.charged, free: removed.free }
}

type CancelledRow = Pick<typeof images.$inferSelect, 'id' | 'userId' | 'requested' | 'price' | 'modelId'>

async function endCancelled(db: Db, { id, userId, requested, price, modelId }: CancelledRow) {
  if (!requested) {
    await release(db, holdKeyOf(id))
    return { charged: 0, freeStop: null }
  }
  const stop = await settleStop(db, holdKeyOf(id), price, { modelId, note: DROPPED_IMAGE_NOTE })
  const charged = stop.charged ?? 0
  const [model] = await db.select().from(models).where(eq(models.id, modelId))
  if (model) await recordCall(db, { kind: 'image', userId, model }, costOfUnits(model, 1))
  await db.update(images).set({ charged }).where(eq(images.id, id))
  return { charged, freeStop: stop.freeStop }
}

const erasedColumns = {
  prompt: '',
  area: null,
  exampleIds: null,
  instance: null,
  storageKey: null,
  thumbKey: null,
  wholeKey: null,
  bytes: null,
}
