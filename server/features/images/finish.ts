import { and, eq, isNull } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { Log } from '#server/lib/log.ts'
import type { Storage } from '#server/storage/storage.ts'
import { release, settle } from '../billing/ledger.ts'
import { costOfUnits } from '../models/models.ts'
import { recordCall } from '../models/side-costs.ts'
import { deleteStoredImage, holdKeyOf, publishBalance, publishImage, type StoredImage } from './rows.ts'

export interface ImageError {
  code: ErrorCode
  message: string
}

export const INTERRUPTED: ImageError = {
  code: 'unavailable',
  message: 'Рисование прервалось: сервер перезапускался. Символы не списаны, повторите.',
}

export interface ImageModelCost {
  id: string
  costOutput: number | null
  costCurrency: string | null
}

interface FinishDeps {
  db: Db
  publish: Publish
  storage: Storage
}

interface Drawing {
  id: string
  userId: string
  price: number
  model: ImageModelCost
}

const isMaking = (id: string) => and(eq(images.id, id), eq(images.state, 'making'), isNull(images.deletedAt))

/** Marks that the provider is called now: deleting the image costs its price from here on. False if it has ended. */
export async function markRequested(db: Db, id: string): Promise<boolean> {
  const rows = await retryWhileUnavailable(() =>
    db.update(images).set({ requested: true }).where(isMaking(id)).returning({ id: images.id }),
  )
  return rows.length > 0
}

/** Stores the image and its charge in one transaction. An image that failed or was deleted meanwhile is skipped. */
export async function finishImage(
  { db, publish, storage }: FinishDeps,
  { id, userId, price, model }: Drawing,
  stored: StoredImage,
): Promise<void> {
  const finish = async (tx: Db) => {
    const [row] = await tx
      .update(images)
      .set({ ...stored, state: 'ready', charged: price, instance: null })
      .where(isMaking(id))
      .returning({ id: images.id })
    // A previous attempt may have been committed and only its acknowledgement lost.
    if (!row) return (await tx.$count(images, and(eq(images.id, id), eq(images.storageKey, stored.storageKey)))) > 0
    const outcome = await settle(tx, holdKeyOf(id), price, { modelId: model.id, note: IMAGE_NOTE })
    if (outcome !== 'done') throw new Error(`The hold of the image ${id} is ${outcome}`)
    await recordCall(tx, { kind: 'image', userId, model }, costOfUnits(model, 1))
    afterCommit(() => {
      publishImage(publish, userId, id)
      publishBalance(publish, userId)
    })
    return true
  }
  const isSaved = await retryWhileUnavailable(() => db.transaction(finish))
  if (!isSaved) await deleteStoredImage(storage, stored)
}

/** Names of the charge in the list of operations. */
export const IMAGE_NOTE = 'Изображение'
export const DROPPED_IMAGE_NOTE = 'Изображение заказано и остановлено до того, как было готово'

/** A second call does nothing. */
export async function failImage(
  { db, publish }: Omit<FinishDeps, 'storage'>,
  { id, userId }: Pick<Drawing, 'id' | 'userId'>,
  { code, message }: ImageError,
): Promise<void> {
  const fail = async (tx: Db) => {
    const [row] = await tx
      .update(images)
      .set({ state: 'failed', errorCode: code, errorMessage: message, instance: null })
      .where(isMaking(id))
      .returning({ id: images.id })
    if (!row) return
    await release(tx, holdKeyOf(id))
    afterCommit(() => {
      publishImage(publish, userId, id)
      publishBalance(publish, userId)
    })
  }
  await retryWhileUnavailable(() => db.transaction(fail))
}

const BATCH = 200

interface RecoveryDeps {
  db: Db
  publish: Publish
  log: Log
}

/** Fails the images of crashed processes, with a reason and free of charge. */
export async function recoverImages(deps: RecoveryDeps): Promise<number> {
  const orphans = await deps.db
    .select({ id: images.id, userId: images.userId })
    .from(images)
    .where(and(eq(images.state, 'making'), isOwnerStale(images.instance)))
    .limit(BATCH)
  let ended = 0
  for (const image of orphans) {
    try {
      await failImage(deps, image, INTERRUPTED)
      ended += 1
    } catch (error) {
      deps.log.error({ err: error, imageId: image.id }, 'images: recovery failed')
    }
  }
  return ended
}
