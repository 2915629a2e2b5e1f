import { filesApi } from '#contract/files.ts'
import { type App, route } from '#server/http/route.ts'
import { deleteFile, fileContent, getFile } from './files.ts'
import { createUpload, type UploadDeps } from './upload.ts'

export function fileRoutes(app: App, deps: UploadDeps) {
  const upload = createUpload(deps)
  route(app, filesApi.upload, (ctx, _input, c) => upload(ctx, c.req.raw), { limit: 'uploads' })
  route(app, filesApi.get, (ctx, { params }) => getFile(ctx, params.id))
  route(app, filesApi.delete, (ctx, { params }) => deleteFile(ctx, deps.storage, params.id))
  route(app, filesApi.content, (ctx, { params }) => fileContent(ctx, deps.storage, params.id))
}
