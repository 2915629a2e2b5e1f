import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idList } from './id-list.ts'
import { MAX_IMAGE_PROMPT } from './image-address.ts'
import { PageQuery } from './paging.ts'

/** Pictures of one call, and pictures of one person that are being drawn at one time. */
export const MAX_IMAGES_AT_ONCE = 4
/** All pictures of one person together. */
export const MAX_IMAGES_BYTES = 2 * 1024 ** 3
/** Pictures that one call deletes. */
export const MAX_IMAGES_DELETED = 200

export const imageSizes = ['1024x1024', '1536x1024', '1024x1536', 'auto'] as const
export const ImageSize = z.enum(imageSizes)
export type ImageSize = z.infer<typeof ImageSize>

export const ImageStatus = z.enum(['making', 'ready', 'failed'])
export type ImageStatus = z.infer<typeof ImageStatus>

export const Image = z.object({
  id: z.string(),
  prompt: z.string(),
  modelId: z.string(),
  /** What was asked for; `width` and `height` are what came, and before that the place to keep for it. */
  size: ImageSize,
  status: ImageStatus,
  /** Where the bytes are, or will be once it is ready. */
  url: z.string(),
  thumbnailUrl: z.string(),
  width: z.int(),
  height: z.int(),
  bytes: z.nullable(z.int()),
  /** What it costs. */
  price: z.optional(z.int()),
  /** The provider has been asked for it: deleting it while it is drawn costs its price. */
  asked: z.optional(z.boolean()),
  charged: z.int(),
  /** Why it failed, in words for its owner. */
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** Where it was asked for, when that was a chat. */
  threadId: z.nullable(z.string()),
  messageId: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Image = z.infer<typeof Image>

/** The place a picture takes before it is there. */
export function sizeInPixels(size: ImageSize): { width: number; height: number } {
  const [width = 1024, height = 1024] = size === 'auto' ? [] : size.split('x').map(Number)
  return { width, height }
}

const Id = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))

export const ImageOrder = z.strictObject({
  prompt: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'опишите, что нарисовать' }),
      z.maxLength(MAX_IMAGE_PROMPT, { error: `не длиннее ${MAX_IMAGE_PROMPT} символов` }),
    ),
  modelId: z.string(),
  size: z._default(ImageSize, 'auto'),
  n: z._default(z.int().check(z.minimum(1), z.maximum(MAX_IMAGES_AT_ONCE)), 1),
  /** The caller's own id of the order: sending it twice is sending it once. */
  id: z.optional(Id),
})
export type ImageOrder = z.infer<typeof ImageOrder>

export const ImageFilter = z.extend(PageQuery, {
  /** Searches the descriptions, by Russian word forms. */
  query: z.optional(z.string().check(z.maxLength(200))),
})
export type ImageFilter = z.infer<typeof ImageFilter>

export const ImageUsage = z.object({ count: z.int(), bytes: z.int(), limit: z.int() })
export type ImageUsage = z.infer<typeof ImageUsage>

/** What pictures that were ordered and not waited for cost. */
const dropped = {
  charged: z._default(z.int(), 0),
  /** The last of the day's free stops that was used; null when none was. */
  free: z._default(z.nullable(z.int()), null),
}
export const ImageRemoved = z.object({ id: z.string(), ...dropped })
export type ImageRemoved = z.infer<typeof ImageRemoved>
export const ImagesRemoved = z.object({ ids: z.array(z.string()), ...dropped })
export type ImagesRemoved = z.infer<typeof ImagesRemoved>

export const imagesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/images',
    who: 'user',
    summary: 'Изображения, новые сначала; с query поиск по описаниям',
    query: ImageFilter,
    returns: z.array(Image),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/images',
    who: 'user',
    summary:
      'Нарисовать от одной до четырёх картинок: отвечает сразу, рисует дальше; символы списываются за каждую готовую',
    body: ImageOrder,
    returns: z.array(Image),
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/images/usage',
    who: 'user',
    summary: 'Сколько места занимают изображения',
    returns: ImageUsage,
  }),
  deleteMany: endpoint({
    method: 'POST',
    path: '/api/images/delete',
    who: 'user',
    summary: 'Удалить несколько изображений; чужие и уже удалённые пропускаются; отвечает, какие удалены',
    body: z.strictObject({ ids: idList(MAX_IMAGES_DELETED) }),
    returns: ImagesRemoved,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/images/:id',
    who: 'user',
    summary: 'Изображение; сами байты по /api/images/:id/file и /api/images/:id/thumbnail',
    returns: Image,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/images/:id',
    who: 'user',
    summary:
      'Удалить изображение навсегда; символы не возвращаются, а за заказанное и не готовое списывается его цена (три раза в день бесплатно)',
    returns: ImageRemoved,
  }),
}

/** News of the topic `images`: `changed` or `removed`, each with the id. */
