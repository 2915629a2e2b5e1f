import { importsApi } from '#contract/imports.ts'
import { bodyOf } from '#server/files/receive.ts'
import { type App, route } from '#server/http/route.ts'
import type { Queue } from '#server/instances/queue.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteImport, startImport, undo } from './imports.ts'
import { getImport, listImports, listItems } from './rows.ts'
import { beginImport, finishImportUpload, putImportChunk } from './upload.ts'

export function importRoutes(app: App, deps: { queue: Queue; storage: Storage; incoming: string }) {
  const { queue } = deps
  route(app, importsApi.list, (ctx) => listImports(ctx))
  route(app, importsApi.begin, (ctx, { body }) => beginImport(ctx, body), { limit: 'imports' })
  route(
    app,
    importsApi.put,
    (ctx, { params, query }, c) =>
      putImportChunk(ctx, deps, { id: params.id, number: Number(params.number), ...query }, bodyOf(c.req.raw)),
    { limit: 'uploads' },
  )
  route(app, importsApi.finish, (ctx, { params }) => finishImportUpload(ctx, queue.wake, params.id))
  route(app, importsApi.get, (ctx, { params }) => getImport(ctx, params.id))
  route(app, importsApi.start, (ctx, { params }) => startImport(ctx, queue, params.id))
  route(app, importsApi.items, (ctx, { params, query }) => listItems(ctx, params.id, query))
  route(app, importsApi.undo, (ctx, { params, body }) => undo(ctx, queue, params.id, body.continued ?? false))
  route(app, importsApi.delete, (ctx, { params }) => deleteImport(ctx, deps, params.id))
}
