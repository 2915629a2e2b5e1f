import type { MiddlewareHandler } from 'hono'
import { FILE_CONTENT, filesApi } from '#contract/files.ts'
import { type App, admitUser, type Env, route } from '#server/http/route.ts'
import { deleteFile, fileContent, getFile } from './files.ts'
import { createUpload, type UploadDeps } from './upload.ts'

export function fileRoutes(app: App, deps: UploadDeps) {
  const upload = createUpload(deps)
  app.post(filesApi.upload.path, async (c) =>
    c.json(await upload(await admitUser(c, 'user', { limit: 'uploads' }), c.req.raw)),
  )
  route(app, filesApi.get, (ctx, { params }) => getFile(ctx, params.id))
  route(app, filesApi.delete, (ctx, { params }) => deleteFile(ctx, deps.storage, params.id))
  app.get(FILE_CONTENT, async (c) => fileContent(await admitUser(c), deps.storage, c.req.param('id')))
}

/** Stricter than the headers of pages: uploaded bytes may be shown or saved, and must not run. */
const contentHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export const strictFileHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(contentHeaders)) c.res.headers.set(name, value)
}
