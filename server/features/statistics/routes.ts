import { statisticsApi } from '#contract/statistics.ts'
import { longRunning } from '#server/db/transactions.ts'
import { type App, route } from '#server/http/route.ts'
import { checkAndNoteLedger } from './notes.ts'
import { readStatistics } from './statistics.ts'

export function statisticsRoutes(app: App) {
  route(app, statisticsApi.get, (ctx, { query }) => readStatistics(ctx, query))
  route(app, statisticsApi.reconcile, async ({ db }) => {
    const problems = await checkAndNoteLedger(longRunning(db))
    return { ok: problems.length === 0, problems }
  })
}
