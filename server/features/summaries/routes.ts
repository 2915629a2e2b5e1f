import { summariesApi } from '#contract/summaries.ts'
import { type App, route } from '#server/http/route.ts'
import { editSummary, removeSummary } from './change.ts'
import { makeSummary, type SummaryDeps } from './make.ts'

export function summaryRoutes(app: App, deps: SummaryDeps) {
  route(app, summariesApi.make, (ctx, { params, body }) => makeSummary(ctx, deps, params.id, body), {
    limit: 'models',
  })
  route(app, summariesApi.edit, (ctx, { params, body }) => editSummary(ctx, params.id, params.summaryId, body.text))
  route(app, summariesApi.remove, (ctx, { params }) => removeSummary(ctx, params.id, params.summaryId))
}
