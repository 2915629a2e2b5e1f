import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idList } from './id-list.ts'
import { IMAGE_FILE, IMAGE_THUMBNAIL, IMAGE_WHOLE, MAX_IMAGE_PROMPT } from './image-address.ts'
import { Area } from './image-area.ts'
import { ImageSize, MAX_EXAMPLES } from './image-skills.ts'
import { knownOr } from './known-or.ts'
import { PageQuery } from './paging.ts'

/** Images of one call, and images of one user that are generated at one time. */
export const MAX_IMAGES_AT_ONCE = 4
/** All images of one user together. */
export const MAX_IMAGES_BYTES = 2 * 1024 ** 3
/** Images that one call deletes. */
export const MAX_IMAGES_DELETED = 200

export const imageStates = ['making', 'ready', 'failed'] as const
export const ImageStatus = z.enum(imageStates)
export type ImageStatus = z.infer<typeof ImageStatus>

/** How an image came to be. */
export const imageOrigins = ['drawn', 'changed', 'uploaded'] as const
const ImageOrigin = z.enum(imageOrigins)

export const Image = z.object({
  id: z.string(),
  /** The description of a drawn image, what to change for a changed one, the file name of an uploaded one. */
  prompt: z.string(),
  /** Empty for an uploaded image. */
  modelId: z.string(),
  origin: z._default(knownOr(ImageOrigin, 'drawn'), 'drawn'),
  /** The image that it was changed from; it may be deleted by now. */
  parentId: z._default(z.nullable(z.string()), null),
  /** Only a part of the image was marked for the change. */
  hasArea: z._default(z.boolean(), false),
  exampleIds: z._default(z.array(z.string()), []),
  /** The model changed more than the marked part; its whole image is at `/api/images/:id/whole`. */
  hasWhole: z._default(z.boolean(), false),
  transparent: z._default(z.boolean(), false),
  /** The requested size. `width` and `height` are the real ones, or the expected ones until it is ready. */
  size: knownOr(ImageSize, 'auto'),
  status: knownOr(ImageStatus, 'making'),
  /** Valid once the image is ready. */
  url: z.string(),
  thumbnailUrl: z.string(),
  width: z.int(),
  height: z.int(),
  bytes: z.nullable(z.int()),
  price: z.optional(z.int()),
  /** The request was sent to the provider: deleting the image before it is ready costs its price. */
  requested: z.optional(z.boolean()),
  charged: z.int(),
  /** Shown to its owner. */
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** The thread that it was requested in, if any. */
  threadId: z.nullable(z.string()),
  messageId: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Image = z.infer<typeof Image>

/** The price that the button named: what costs more is not begun. */
const Most = z.optional(z.int().check(z.minimum(0)))

const Id = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))

export const ImageRequest = z.strictObject({
  prompt: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'опишите, что нарисовать' }),
      z.maxLength(MAX_IMAGE_PROMPT, { error: `не длиннее ${MAX_IMAGE_PROMPT} символов` }),
    ),
  modelId: z.string(),
  size: z._default(ImageSize, 'auto'),
  /** Only for models that can. */
  transparent: z.optional(z.boolean()),
  n: z._default(z.int().check(z.minimum(1), z.maximum(MAX_IMAGES_AT_ONCE)), 1),
  most: Most,
  /** Chosen by the caller: a repeated request with the same id has no effect. */
  id: z.optional(Id),
})
export type ImageRequest = z.infer<typeof ImageRequest>

export const ImageChange = z.strictObject({
  prompt: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'напишите, что изменить' }),
      z.maxLength(MAX_IMAGE_PROMPT, { error: `не длиннее ${MAX_IMAGE_PROMPT} символов` }),
    ),
  modelId: z.string(),
  /** `auto` keeps the proportions. With an area they cannot be changed. */
  size: z._default(ImageSize, 'auto'),
  transparent: z.optional(z.boolean()),
  area: z._default(z.nullable(Area), null),
  /** The caller's own images. */
  exampleIds: z._default(idList(MAX_EXAMPLES, 0), []),
  most: Most,
  /** Chosen by the caller: a repeated request with the same id has no effect. */
  id: z.optional(Id),
})
export type ImageChange = z.infer<typeof ImageChange>

/** A file in another format; the longer side has at most so many pixels. */
export const ImageDownload = z.object({
  format: z.enum(['png', 'jpeg', 'webp']),
  side: z.optional(z.enum(['512', '1024', '2048'])),
})
export type ImageDownload = z.infer<typeof ImageDownload>

export const ImageFilter = z.extend(PageQuery, {
  /** Searches the descriptions by Russian word forms. */
  query: z.optional(z.string().check(z.maxLength(200))),
})
export type ImageFilter = z.infer<typeof ImageFilter>

export const ImageUsage = z.object({ count: z.int(), bytes: z.int(), limit: z.int() })
export type ImageUsage = z.infer<typeof ImageUsage>

/** The cost of images that were cancelled after the provider was asked. */
const cancelledCost = {
  charged: z._default(z.int(), 0),
  /** The number of the last free stop of the day; null when none was used. */
  free: z._default(z.nullable(z.int()), null),
}
export const ImageRemoved = z.object({ id: z.string(), ...cancelledCost })
export type ImageRemoved = z.infer<typeof ImageRemoved>
export const ImagesRemoved = z.object({ ids: z.array(z.string()), ...cancelledCost })
export type ImagesRemoved = z.infer<typeof ImagesRemoved>

export const imagesApi = {
  list: endpoint('GET', '/api/images', {
    who: 'user',
    summary: 'Изображения, новые сначала; с query поиск по описаниям',
    query: ImageFilter,
    returns: z.array(Image),
  }),
  create: endpoint('POST', '/api/images', {
    who: 'user',
    summary:
      'Нарисовать от одной до четырёх картинок: отвечает сразу, рисует дальше; символы списываются за каждую готовую',
    body: ImageRequest,
    returns: z.array(Image),
  }),
  change: endpoint('POST', '/api/images/:id/change', {
    who: 'user',
    summary:
      'Изменить картинку по словам: получится новая версия, прежняя остаётся; можно отметить, где менять, и приложить примеры',
    body: ImageChange,
    returns: Image,
  }),
  versions: endpoint('GET', '/api/images/:id/versions', {
    who: 'user',
    summary: 'Все версии картинки, старые сначала',
    returns: z.array(Image),
  }),
  area: endpoint('GET', '/api/images/:id/area', {
    who: 'user',
    summary: 'Где эту картинку просили изменить; null, если целиком',
    returns: z.object({ area: z.nullable(Area) }),
  }),
  upload: endpoint('POST', '/api/images/upload', {
    who: 'user',
    summary: 'Загрузить свою картинку, чтобы её менять: multipart, поле file, до 20 МБ; бесплатно',
    takes: 'form',
    returns: Image,
  }),
  download: endpoint('GET', '/api/images/:id/download', {
    who: 'user',
    summary: 'Скачать изображение в нужном формате и размере',
    query: ImageDownload,
    answers: 'file',
  }),
  usage: endpoint('GET', '/api/images/usage', {
    who: 'user',
    summary: 'Сколько места занимают изображения',
    returns: ImageUsage,
  }),
  deleteMany: endpoint('POST', '/api/images/delete', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Удалить несколько изображений; чужие и уже удалённые пропускаются; отвечает, какие удалены',
    body: z.strictObject({ ids: idList(MAX_IMAGES_DELETED) }),
    returns: ImagesRemoved,
  }),
  get: endpoint('GET', '/api/images/:id', {
    who: 'user',
    summary: 'Изображение; сами байты по /api/images/:id/file и /api/images/:id/thumbnail',
    returns: Image,
  }),
  delete: endpoint('DELETE', '/api/images/:id', {
    who: 'user',
    summary:
      'Удалить изображение навсегда; символы не возвращаются, а за заказанное и не готовое списывается его цена (три раза в день бесплатно)',
    returns: ImageRemoved,
  }),
  file: endpoint('GET', IMAGE_FILE, {
    who: 'user',
    summary: 'Само изображение',
    answers: 'file',
  }),
  whole: endpoint('GET', IMAGE_WHOLE, {
    who: 'user',
    summary: 'Изображение, каким его прислала модель, до возврата нетронутой части',
    answers: 'file',
  }),
  thumbnail: endpoint('GET', IMAGE_THUMBNAIL, {
    who: 'user',
    summary: 'Уменьшенное изображение для списка',
    answers: 'file',
  }),
}

/** Events of the topic `images`: `changed` or `removed` with the id; `partial` with the id and a small image. */
