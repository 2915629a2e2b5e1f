import { modelsApi } from '#contract/models.ts'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { type App, route } from '#server/http/route.ts'
import type { Providers } from '#server/llm/providers.ts'
import { listModels } from './models.ts'
import {
  checkModel,
  createModel,
  deleteModel,
  listProviders,
  offeredModels,
  reorderModels,
  updateModel,
} from './models-admin.ts'
import { createUsualCosts } from './usual-costs.ts'

export function modelRoutes(app: App, providers: Providers) {
  route(app, modelsApi.list, (ctx) => listModels(ctx, providers))
  route(app, modelsApi.usualCosts, createUsualCosts())
  route(app, modelsAdminApi.create, (ctx, { body }) => createModel(ctx, providers, body))
  route(app, modelsAdminApi.reorder, (ctx, { body }) => reorderModels(ctx, providers, body.ids))
  route(app, modelsAdminApi.update, (ctx, { params, body }) => updateModel(ctx, providers, params.id, body))
  route(app, modelsAdminApi.delete, (ctx, { params }) => deleteModel(ctx, providers, params.id))
  route(app, modelsAdminApi.providers, () => listProviders(providers))
  route(app, modelsAdminApi.offer, (_, { params }) => offeredModels(providers, params.name))
  route(app, modelsAdminApi.check, (ctx, { params, body }) =>
    checkModel(ctx, providers, params.name, body.providerModel),
  )
}
