import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Image, type ImageFilter, type ImageUsage, MAX_IMAGES_BYTES } from '#contract/images.ts'
import { images } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { literally } from '#server/features/prompts/search.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { release } from '../billing/ledger.ts'
import { forgetPicture } from './keep.ts'
import { holdOf, imageColumns, noImage, ownImage, shapeImage, tellBalance, tellImage } from './rows.ts'
import type { Studio } from './studio.ts'

/** Newest first. A page begins below its cursor, whatever was drawn above meanwhile. */
export async function listImages({ db, user }: Ctx, filter: ImageFilter): Promise<Page<Image[]>> {
  const { limit, cursor, query } = filter
  const rows = await db
    .select(imageColumns)
    .from(images)
    .where(
      and(
        eq(images.userId, user.id),
        isNull(images.deletedAt),
        query?.trim() ? describedBy(query.trim()) : undefined,
        cursor === undefined ? undefined : below(cursor),
      ),
    )
    .orderBy(desc(images.createdAt), desc(images.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit).map(shapeImage)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return new Page(items, last ? `${last.createdAt.getTime()}.${last.id}` : null)
}

/** All the words in any form, or just these letters. */
function describedBy(query: string): SQL | undefined {
  return or(
    sql`${images.search} @@ plainto_tsquery('russian', translate(${query}, 'ёЁ', 'еЕ'))`,
    sql`translate(lower(${images.prompt}), 'ё', 'е') like ${`%${literally(query)}%`}`,
  )
}

function below(cursor: string): SQL {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (!time || !id) throw new AppError('bad_request', 'Поле cursor: такой страницы нет', { field: 'cursor' })
  return sql`(${images.createdAt}, ${images.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`
}

export async function getImage({ db, user }: Ctx, id: string): Promise<Image> {
  const [row] = await db.select(imageColumns).from(images).where(ownImage(user.id, id))
  if (!row) throw noImage()
  return shapeImage(row)
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

interface Deletion {
  storage: Storage
  studio: Studio
}

export async function deleteImage(ctx: Ctx, world: Deletion, id: string): Promise<{ id: string }> {
  const { ids } = await deleteImages(ctx, world, [id])
  if (ids.length === 0) throw noImage()
  return { id }
}

/** Words and bytes go for good. One that is still being drawn is not drawn any further, and costs nothing. */
export async function deleteImages(ctx: Ctx, { storage, studio }: Deletion, ids: string[]): Promise<{ ids: string[] }> {
  const { db, user, publish } = ctx
  const { id, state, storageKey, thumbKey } = images
  const gone = await db.transaction(async (tx) => {
    const rows = await tx
      .select({ id, state, storageKey, thumbKey })
      .from(images)
      .where(and(inArray(id, ids), eq(images.userId, user.id), isNull(images.deletedAt)))
      // In one order, so that two deletions at once wait for each other and never in a ring.
      .orderBy(id)
      .for('update')
    if (rows.length === 0) return []
    await tx
      .update(images)
      .set({
        ...erased,
        deletedAt: new Date(),
        state: sql`case ${state} when 'making' then 'failed' else ${state} end`,
      })
      .where(
        inArray(
          id,
          rows.map((row) => row.id),
        ),
      )
    for (const row of rows) if (row.state === 'making') await release(tx, holdOf(row.id))
    afterCommit(() => {
      for (const row of rows) tellImage(publish, user.id, row.id, 'removed')
      if (rows.some((row) => row.state === 'making')) tellBalance(publish, user.id)
    })
    return rows
  })
  for (const row of gone) {
    studio.drop(row.id)
    await forgetPicture(storage, [row.storageKey, row.thumbKey])
  }
  return { ids: gone.map((row) => row.id) }
}

/** What of a row must not outlive the picture. */
const erased = { prompt: '', instance: null, heartbeatAt: null, storageKey: null, thumbKey: null, bytes: null }
