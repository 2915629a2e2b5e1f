import { modelsApi } from '#contract/models.ts'
import { type App, route } from '#server/http/route.ts'
import { listModels } from './models.ts'

export function modelRoutes(app: App) {
  route(app, modelsApi.list, (ctx) => listModels(ctx))
}
