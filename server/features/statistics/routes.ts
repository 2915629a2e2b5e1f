import { statisticsApi } from '#contract/statistics.ts'
import { type App, route } from '#server/http/route.ts'
import { reconcile } from '../billing/invariants.ts'

export function statisticsRoutes(app: App) {
  route(app, statisticsApi.reconcile, async ({ db }) => {
    const problems = await reconcile(db)
    return { ok: problems.length === 0, problems }
  })
}
