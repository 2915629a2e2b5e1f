import { minutesApi } from '#contract/minutes.ts'
import { type App, route } from '#server/http/route.ts'
import { exportDocument } from './export.ts'
import { deleteDocument, editDocument, type MinutesRouteDeps, makeDocument, readMinutes, stopDocument } from './make.ts'

export function minutesRoutes(app: App, deps: MinutesRouteDeps) {
  route(app, minutesApi.read, (ctx, { params, query }) => readMinutes(ctx, params.id, query.modelId))
  route(app, minutesApi.make, (ctx, { params, body }) => makeDocument(ctx, deps, params.id, params.kind, body), {
    limit: 'models',
  })
  route(app, minutesApi.edit, (ctx, { params, body }) => editDocument(ctx, params.id, params.kind, body))
  route(app, minutesApi.stop, (ctx, { params }) => stopDocument(ctx, deps, params.id, params.kind))
  route(app, minutesApi.delete, (ctx, { params }) => deleteDocument(ctx, deps, params.id, params.kind))
  route(app, minutesApi.export, (ctx, { params }) => exportDocument(ctx, params.id, params.kind), {
    limit: 'downloads',
  })
}
