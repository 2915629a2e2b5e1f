import { imagesApi } from '#contract/images.ts'
import { type App, route } from '#server/http/route.ts'
import type { Storage } from '#server/storage/storage.ts'
import { createImages } from './create.ts'
import type { ImageQueue } from './image-queue.ts'
import { deleteImage, deleteImages, getImage, imageUsage, listImages } from './images.ts'
import { imageContent } from './rows.ts'

/** `/api/images/usage` is mounted before `/api/images/:id`. */
export function imageRoutes(app: App, deps: { storage: Storage; imageQueue: ImageQueue }) {
  const { storage, imageQueue } = deps
  route(app, imagesApi.list, (ctx, { query }) => listImages(ctx, query))
  route(app, imagesApi.create, (ctx, { body }) => createImages(ctx, imageQueue, body), { limit: 'models' })
  route(app, imagesApi.usage, (ctx) => imageUsage(ctx))
  route(app, imagesApi.deleteMany, (ctx, { body }) => deleteImages(ctx, deps, body.ids))
  route(app, imagesApi.get, (ctx, { params }) => getImage(ctx, params.id))
  route(app, imagesApi.delete, (ctx, { params }) => deleteImage(ctx, deps, params.id))
  route(app, imagesApi.file, (ctx, { params }) => imageContent(ctx, storage, params.id, 'file'))
  route(app, imagesApi.thumbnail, (ctx, { params }) => imageContent(ctx, storage, params.id, 'thumbnail'))
}
