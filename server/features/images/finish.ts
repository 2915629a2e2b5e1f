import { and, eq, isNull } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import type { Storage } from '#server/storage/storage.ts'
import { whileAway } from '#server/work/retry.ts'
import { release, settle } from '../billing/ledger.ts'
import { costOfImages } from '../models/image-cost.ts'
import { holdOf, publishBalance, publishImage } from './rows.ts'
import { forgetPicture, type StoredImage } from './store-image.ts'

export interface ImageError {
  code: ErrorCode
  message: string
}

export const INTERRUPTED: ImageError = {
  code: 'unavailable',
  message: 'Рисование прервалось: сервер перезапускался. Символы не списаны, повторите.',
}

/** What a model's pictures cost the owner. */
export interface Priced {
  id: string
  costOutput: number | null
  costCurrency: string | null
}

interface Ending {
  db: Db
  publish: Publish
  storage: Storage
}

interface Ended {
  id: string
  userId: string
  price: number
  model: Priced
}

const making = (id: string) => and(eq(images.id, id), eq(images.state, 'making'), isNull(images.deletedAt))

/** The provider is about to be asked: whoever deletes it from now on pays. False if it was deleted or ended meanwhile. */
export async function markAsked(db: Db, id: string): Promise<boolean> {
  const rows = await whileAway(() =>
    db.update(images).set({ asked: true }).where(making(id)).returning({ id: images.id }),
  )
  return rows.length > 0
}

/** Keeps the picture and its charge in one transaction. What was taken for dead or deleted meanwhile stays so, and free. */
export async function finishPicture(
  { db, publish, storage }: Ending,
  { id, userId, price, model }: Ended,
  kept: StoredImage,
): Promise<void> {
  const keep = async (tx: Db) => {
    const [row] = await tx
      .update(images)
      .set({ ...kept, ...costOfImages(model, 1), state: 'ready', charged: price, instance: null, heartbeatAt: null })
      .where(making(id))
      .returning({ id: images.id })
    // Perhaps it was kept, and only the word of it was lost.
    if (!row) return (await tx.$count(images, and(eq(images.id, id), eq(images.storageKey, kept.storageKey)))) > 0
    const outcome = await settle(tx, holdOf(id), price, { modelId: model.id, note: imageNote })
    if (outcome !== 'done') throw new Error(`The hold of the picture ${id} is ${outcome}`)
    afterCommit(() => {
      publishImage(publish, userId, id)
      publishBalance(publish, userId)
    })
    return true
  }
  const isSaved = await whileAway(() => db.transaction(keep))
  if (!isSaved) await forgetPicture(storage, [kept.storageKey, kept.thumbKey])
}

/** What the operation is called in the list of operations. */
export const imageNote = 'Изображение'
export const DROPPED_IMAGE_NOTE = 'Изображение заказано и остановлено до того, как было готово'

/** Ends a picture that did not come about, and frees its hold. Whoever comes second finds nothing to do. */
export async function failPicture(
  { db, publish }: Omit<Ending, 'storage'>,
  { id, userId }: Pick<Ended, 'id' | 'userId'>,
  { code, message }: ImageError,
): Promise<void> {
  const fail = async (tx: Db) => {
    const [row] = await tx
      .update(images)
      .set({ state: 'failed', errorCode: code, errorMessage: message, instance: null, heartbeatAt: null })
      .where(making(id))
      .returning({ id: images.id })
    if (!row) return
    await release(tx, holdOf(id))
    afterCommit(() => {
      publishImage(publish, userId, id)
      publishBalance(publish, userId)
    })
  }
  await whileAway(() => db.transaction(fail))
}
