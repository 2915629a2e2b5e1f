import { promptsApi } from '#contract/prompts.ts'
import { promptsAdminApi } from '#contract/prompts-admin.ts'
import type { Totals } from '#server/http/limit-table.ts'
import { type App, route } from '#server/http/route.ts'
import { exportPrompts } from './admin/export.ts'
import { applyImport, previewImport } from './admin/import.ts'
import { applyToMany, listForAdmin, movePrompt } from './admin/table.ts'
import { listCategories, listPrompts, suggestPrompts } from './listing.ts'
import {
  addSharedPrompt,
  changePrompt,
  countUse,
  createPrompt,
  deletePrompt,
  duplicatePrompt,
  markFavourite,
  readPrompt,
  sharePrompt,
  unsharePrompt,
} from './prompts.ts'
import { listVersions, restoreVersion } from './versions.ts'

/** Fixed paths come before `/api/prompts/:id`. */
export function promptRoutes(app: App, { 'stored-prompts': most }: Totals) {
  route(app, promptsApi.list, (ctx, { query }) => listPrompts(ctx, query))
  route(app, promptsApi.categories, (ctx, { query }) => listCategories(ctx, query.view))
  route(app, promptsApi.suggest, (ctx, { query }) => suggestPrompts(ctx, query.query))
  route(app, promptsAdminApi.table, (ctx, { query }) => listForAdmin(ctx, query))
  route(app, promptsAdminApi.bulk, (ctx, { body }) => applyToMany(ctx, body))
  route(app, promptsAdminApi.preview, (ctx, { body }) => previewImport(ctx, body), { limit: 'heavy' })
  route(app, promptsAdminApi.import, (ctx, { body }) => applyImport(ctx, most, body), { limit: 'heavy' })
  route(app, promptsAdminApi.export, (ctx, { query }) => exportPrompts(ctx, query), { limit: 'downloads' })

  route(app, promptsApi.create, (ctx, { body }) => createPrompt(ctx, most, body))
  route(app, promptsApi.get, (ctx, { params, query }) => readPrompt(ctx, params.id, query.share))
  route(app, promptsApi.update, (ctx, { params, body }) => changePrompt(ctx, params.id, body))
  route(app, promptsApi.delete, (ctx, { params }) => deletePrompt(ctx, params.id))
  route(app, promptsApi.duplicate, (ctx, { params }) => duplicatePrompt(ctx, most, params.id))
  route(app, promptsApi.favourite, (ctx, { params, body }) => markFavourite(ctx, params.id, body.favourite))
  route(app, promptsApi.keep, (ctx, { params, body }) => addSharedPrompt(ctx, params.id, body.share))
  route(app, promptsApi.use, (ctx, { params, body }) => countUse(ctx, params.id, body.id))
  route(app, promptsApi.share, (ctx, { params }) => sharePrompt(ctx, params.id), { limit: 'heavy' })
  route(app, promptsApi.unshare, (ctx, { params }) => unsharePrompt(ctx, params.id))
  route(app, promptsApi.versions, (ctx, { params }) => listVersions(ctx, params.id))
  route(app, promptsApi.restore, (ctx, { params }) => restoreVersion(ctx, params.id, params.version))
  route(app, promptsAdminApi.move, (ctx, { params, body }) => movePrompt(ctx, params.id, body))
}
