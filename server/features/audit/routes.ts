import { auditApi } from '#contract/audit.ts'
import { type App, route } from '#server/http/route.ts'
import { verifyChain } from './audit.ts'
import { auditChoices, auditCsv, listAudit, readAudit } from './list.ts'

/** Fixed paths come before `/:id`. */
export function auditRoutes(app: App) {
  route(app, auditApi.list, (ctx, { query }) => listAudit(ctx, query))
  route(app, auditApi.choices, (ctx) => auditChoices(ctx))
  route(app, auditApi.verify, ({ db }) => verifyChain(db))
  route(app, auditApi.csv, (ctx, { query }) => auditCsv(ctx, query), { limit: 'downloads' })
  route(app, auditApi.get, (ctx, { params }) => readAudit(ctx, params.id))
}
