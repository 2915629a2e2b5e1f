import { billingApi } from '#contract/billing.ts'
import { type App, route } from '#server/http/route.ts'
import { changeDailyCap, grantsOf, spendOwn, usageByDay } from './balance.ts'
import { giveGift } from './gifts.ts'

export function billingRoutes(app: App, deps: { appName: string; appUrl: string }) {
  route(app, billingApi.spend, (ctx, { body }) => spendOwn(ctx, body))
  route(app, billingApi.setDailyCap, (ctx, { body }) => changeDailyCap(ctx, body.dailyCap))
  route(app, billingApi.grants, ({ db, user }) => grantsOf(db, user.id))
  route(app, billingApi.usage, (ctx, { query }) => usageByDay(ctx, query.days))
  route(app, billingApi.gift, (ctx, { params, body }) => giveGift(ctx, deps, params.id, body))
}
