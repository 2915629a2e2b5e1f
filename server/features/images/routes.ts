import { imagesApi } from '#contract/images.ts'
import { type App, route } from '#server/http/route.ts'
import type { Storage } from '#server/storage/storage.ts'
import { areaOf, changeImage, versionsOf } from './change.ts'
import { createImages } from './create.ts'
import { downloadImage } from './download.ts'
import type { ImageQueue } from './image-queue.ts'
import { deleteImage, deleteImages, getImage, imageUsage, listImages } from './images.ts'
import { imageContent } from './rows.ts'
import { uploadImage } from './upload.ts'

/** `/api/images/usage` is mounted before `/api/images/:id`. */
export function imageRoutes(app: App, deps: { storage: Storage; incoming: string; imageQueue: ImageQueue }) {
  const { storage, imageQueue } = deps
  route(app, imagesApi.list, (ctx, { query }) => listImages(ctx, query))
  route(app, imagesApi.create, (ctx, { body }) => createImages(ctx, imageQueue, body), { limit: 'models' })
  route(app, imagesApi.change, (ctx, { params, body }) => changeImage(ctx, imageQueue, params.id, body), {
    limit: 'models',
  })
  route(app, imagesApi.upload, (ctx, _input, c) => uploadImage(ctx, deps, c.req.raw), { limit: 'uploads' })
  route(app, imagesApi.usage, (ctx) => imageUsage(ctx))
  route(app, imagesApi.deleteMany, (ctx, { body }) => deleteImages(ctx, deps, body.ids))
  route(app, imagesApi.get, (ctx, { params }) => getImage(ctx, params.id))
  route(app, imagesApi.versions, (ctx, { params }) => versionsOf(ctx, params.id))
  route(app, imagesApi.area, (ctx, { params }) => areaOf(ctx, params.id))
  route(app, imagesApi.delete, (ctx, { params }) => deleteImage(ctx, deps, params.id))
  route(app, imagesApi.file, (ctx, { params }) => imageContent(ctx, storage, params.id, 'file'))
  route(app, imagesApi.download, (ctx, { params, query }) => downloadImage(ctx, storage, params.id, query), {
    limit: 'downloads',
  })
  route(app, imagesApi.whole, (ctx, { params }) => imageContent(ctx, storage, params.id, 'whole'))
  route(app, imagesApi.thumbnail, (ctx, { params }) => imageContent(ctx, storage, params.id, 'thumbnail'))
}
