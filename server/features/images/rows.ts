import { and, eq, isNull } from 'drizzle-orm'
import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_FILE, IMAGE_THUMBNAIL } from '#contract/image-address.ts'
import { type Image, sizeInPixels } from '#contract/images.ts'
import { images } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'

/** The columns shown to the owner of a picture; storage keys and the provider's cost are left out. */
export const imageColumns = {
  id: images.id,
  prompt: images.prompt,
  modelId: images.modelId,
  size: images.size,
  state: images.state,
  errorCode: images.errorCode,
  errorMessage: images.errorMessage,
  price: images.price,
  asked: images.asked,
  charged: images.charged,
  width: images.width,
  height: images.height,
  bytes: images.bytes,
  threadId: images.threadId,
  messageId: images.messageId,
  createdAt: images.createdAt,
}

type ImageRow = Pick<typeof images.$inferSelect, keyof typeof imageColumns>

export function toImage({ state, errorCode, errorMessage, createdAt, ...row }: ImageRow): Image {
  const ordered = sizeInPixels(row.size)
  return {
    ...row,
    status: state,
    url: fillPath(IMAGE_FILE, { id: row.id }),
    thumbnailUrl: fillPath(IMAGE_THUMBNAIL, { id: row.id }),
    width: row.width ?? ordered.width,
    height: row.height ?? ordered.height,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    createdAt: createdAt.toISOString(),
  }
}

export const ownImage = (userId: string, id: string) =>
  and(eq(images.id, id), eq(images.userId, userId), isNull(images.deletedAt))

export const noImage = () => notFound('Такого изображения нет')

/** The key of a picture's hold. */
export const holdOf = (id: string) => `image:${id}`

/** Prefixes of the storage keys. */
export const ORIGINALS = 'images'
export const THUMBNAILS = 'thumbs'

export function publishImage(publish: Publish, userId: string, id: string, type: 'changed' | 'removed' = 'changed') {
  publish(userId, { topic: 'images', type, data: { id } })
}

export function publishBalance(publish: Publish, userId: string) {
  publish(userId, { topic: 'profile', type: 'balance', data: null })
}
