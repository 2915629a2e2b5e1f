import { and, eq, isNull, sql } from 'drizzle-orm'
import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_FILE, IMAGE_THUMBNAIL, imageFileName } from '#contract/image-address.ts'
import { sizeInPixels } from '#contract/image-skills.ts'
import type { Image } from '#contract/images.ts'
import { images } from '#server/db/schema.ts'
import { readImage } from '#server/files/image.ts'
import { type DigitalSource, markSource } from '#server/files/image-mark.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { type DrawnImage, drawError } from '#server/llm/llm.ts'
import type { Storage } from '#server/storage/storage.ts'

/** Storage keys and the provider's cost are left out. */
export const imageColumns = {
  id: images.id,
  prompt: images.prompt,
  modelId: images.modelId,
  size: images.size,
  state: images.state,
  errorCode: images.errorCode,
  errorMessage: images.errorMessage,
  price: images.price,
  requested: images.requested,
  charged: images.charged,
  width: images.width,
  height: images.height,
  bytes: images.bytes,
  threadId: images.threadId,
  messageId: images.messageId,
  origin: images.origin,
  parentId: images.parentId,
  hasArea: sql<boolean>`${images.area} is not null`,
  exampleIds: images.exampleIds,
  hasWhole: sql<boolean>`${images.wholeKey} is not null`,
  transparent: images.transparent,
  createdAt: images.createdAt,
}

type ImageRow = Pick<typeof images.$inferSelect, Exclude<keyof typeof imageColumns, 'hasArea' | 'hasWhole'>> & {
  hasArea: boolean
  hasWhole: boolean
}

export function toImage({ state, errorCode, errorMessage, createdAt, ...row }: ImageRow): Image {
  const ordered = sizeInPixels(row.size)
  return {
    ...row,
    exampleIds: row.exampleIds ?? [],
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

export const imageNotFound = () => notFound('Такого изображения нет')

export const holdKeyOf = (id: string) => `image:${id}`

/** Prefixes of the storage keys. */
export const ORIGINALS = 'images'
export const THUMBNAILS = 'thumbs'
export const WHOLES = 'wholes'

export function publishImage(publish: Publish, userId: string, id: string, type: 'changed' | 'removed' = 'changed') {
  publish(userId, { topic: 'images', type, data: { id } })
}

export function publishBalance(publish: Publish, userId: string) {
  publish(userId, { topic: 'profile', type: 'balance', data: null })
}

/** An image whose bytes are in the storage; no row refers to them yet. */
export interface StoredImage {
  width: number
  height: number
  bytes: number
  mime: string
  storageKey: string
  thumbKey: string
  wholeKey: string | null
}

export interface NewImage extends DrawnImage {
  /** The model's own image as WebP, where another one is shown. */
  whole?: Uint8Array | null
  /** Written into the file; null for a photo that no model has touched. */
  source?: DigitalSource | null
}

/** Stores the bytes before the row is written. The storage sweep removes bytes without a row. */
export async function storeImage(storage: Storage, id: string, drawn: NewImage): Promise<StoredImage> {
  const { whole = null, source = 'drawn' } = drawn
  const image = await readImage(drawn.bytes)
  if (!image) throw drawError('down', { reason: 'without-image' })
  const { mime, width, height, thumbnail } = image
  const bytes = source === null ? drawn.bytes : markSource(drawn.bytes, mime, { width, height, source })
  const [storageKey, thumbKey] = [`${ORIGINALS}/${id}`, `${THUMBNAILS}/${id}`]
  const wholeKey = whole ? `${WHOLES}/${id}` : null
  await storage.put(thumbKey, thumbnail, 'image/webp')
  if (whole && wholeKey) await storage.put(wholeKey, whole, 'image/webp')
  await storage.put(storageKey, bytes, mime)
  return { width, height, bytes: bytes.length + (whole?.length ?? 0), mime, storageKey, thumbKey, wholeKey }
}

/** The storage sweep removes later what cannot be deleted now. */
export async function deleteStoredImage(
  storage: Storage,
  { storageKey, thumbKey, wholeKey }: Record<'storageKey' | 'thumbKey' | 'wholeKey', string | null>,
): Promise<void> {
  for (const key of [storageKey, thumbKey, wholeKey]) if (key) await storage.delete(key).catch(() => undefined)
}

const extensions: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
/** The bytes of an id never change. */
const CACHE_FOREVER = 'private, max-age=31536000, immutable'

type ImagePart = 'file' | 'thumbnail' | 'whole'

export async function imageContent({ db, user }: Ctx, storage: Storage, id: string, part: ImagePart) {
  const { mime, prompt, storageKey, thumbKey, wholeKey } = images
  const [row] = await db
    .select({ mime, prompt, storageKey, thumbKey, wholeKey })
    .from(images)
    .where(and(ownImage(user.id, id), eq(images.state, 'ready')))
  const key = row && { file: row.storageKey, thumbnail: row.thumbKey, whole: row.wholeKey }[part]
  const type = part === 'file' ? row?.mime : 'image/webp'
  const stored = key && type && type in extensions ? await storage.read(key) : null
  if (!row || !stored || !type) throw imageNotFound()
  const name = encodeURIComponent(`${imageFileName({ ...row, id })}.${extensions[type]}`)
  return new Response(stored.stream as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': type,
      'content-length': String(stored.bytes),
      'content-disposition': `inline; filename*=UTF-8''${name}`,
      'cache-control': CACHE_FOREVER,
    },
  })
}
