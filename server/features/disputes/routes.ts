import { disputesApi } from '#contract/disputes.ts'
import { type App, route } from '#server/http/route.ts'
import { countWaiting, type EmailDeps, listDisputes, readDispute, rejectDisputed, returnDisputed } from './disputes.ts'

export function disputeRoutes(app: App, deps: EmailDeps) {
  route(app, disputesApi.list, (ctx, { query }) => listDisputes(ctx, query))
  // Before the route with an id, so that «waiting» is not read as one.
  route(app, disputesApi.waiting, (ctx) => countWaiting(ctx))
  route(app, disputesApi.get, (ctx, { params }) => readDispute(ctx, params.id))
  route(app, disputesApi.giveBack, (ctx, { params, body }) => returnDisputed(ctx, deps, params.id, body))
  route(app, disputesApi.refuse, (ctx, { params, body }) => rejectDisputed(ctx, deps, params.id, body.answer))
}
