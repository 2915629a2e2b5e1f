import { images as table } from '#server/db/schema.ts'
import type { Feature } from '../feature.ts'
import { byColumn } from '../storage/kinds.ts'
import { recoverImages } from './finish.ts'
import { createImageQueue, type ImageQueue } from './image-queue.ts'
import { imageRoutes } from './routes.ts'
import { ORIGINALS, THUMBNAILS, WHOLES } from './rows.ts'

/** Not optional: chats draw images too, and show them by its calls. */
export const images: Feature<ImageQueue> = {
  name: 'images',
  stored: [
    byColumn('картинки', ORIGINALS, table, table.storageKey),
    byColumn('уменьшенные картинки', THUMBNAILS, table, table.thumbKey),
    byColumn('картинки целиком от модели', WHOLES, table, table.wholeKey),
  ],
  open: (core) => {
    const { storage, incoming } = core.files
    const imageQueue = createImageQueue({ ...core, storage })
    return {
      handle: imageQueue,
      routes: (app) => imageRoutes(app, { storage, incoming, imageQueue }),
      recover: { kind: 'image', recover: () => recoverImages(core) },
      close: imageQueue.close,
    }
  },
}
