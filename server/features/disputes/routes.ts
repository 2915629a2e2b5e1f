import { disputesApi } from '#contract/disputes.ts'
import { type App, route } from '#server/http/route.ts'
import { refuseDisputed, returnDisputed, type Telling } from './decide.ts'
import { countWaiting, listDisputes, readDispute } from './disputes.ts'

export function disputeRoutes(app: App, deps: Telling) {
  route(app, disputesApi.list, (ctx, { query }) => listDisputes(ctx, query))
  // Before the name of an id: «waiting» is none.
  route(app, disputesApi.waiting, (ctx) => countWaiting(ctx))
  route(app, disputesApi.get, (ctx, { params }) => readDispute(ctx, params.id))
  route(app, disputesApi.giveBack, (ctx, { params, body }) => returnDisputed(ctx, deps, params.id, body))
  route(app, disputesApi.refuse, (ctx, { params, body }) => refuseDisputed(ctx, deps, params.id, body.answer))
}
