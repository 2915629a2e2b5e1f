import { billingApi } from '#contract/billing.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, route } from '#server/http/route.ts'
import {
  changePromoCode,
  createPromoBatch,
  createPromoCode,
  deletePromoCode,
  type PromoKeys,
  readPromoCode,
  setPromoCodesActive,
} from './promocodes.ts'
import { listPromoCodes, promoBatchCsv, promoStatistics, promoTableCsv } from './promocodes-admin.ts'
import { applyPromocode } from './redeem.ts'

export function promocodeRoutes(app: App, { limits, promoKey, identityKey }: PromoKeys & { limits: Limits }) {
  const keys = { promoKey, identityKey }
  route(app, billingApi.applyPromocode, (ctx, { params, body }) =>
    applyPromocode({ ...ctx, ...keys }, limits, params.id, body.code),
  )
  route(app, promocodesApi.list, (ctx, { query }) => listPromoCodes({ ...ctx, ...keys }, query))
  // Before the routes with an id, so that «csv» is not read as one.
  route(app, promocodesApi.csv, (ctx, { query }) => promoTableCsv({ ...ctx, ...keys }, query), { limit: 'downloads' })
  route(app, promocodesApi.get, (ctx, { params }) => readPromoCode(ctx, params.id))
  route(app, promocodesApi.statistics, (ctx, { params }) => promoStatistics(ctx, params.id))
  route(app, promocodesApi.create, (ctx, { body }) => createPromoCode({ ...ctx, ...keys }, body))
  route(app, promocodesApi.createBatch, (ctx, { body }) => createPromoBatch({ ...ctx, ...keys }, body))
  route(app, promocodesApi.createBatchCsv, (ctx, { body }) => promoBatchCsv({ ...ctx, ...keys }, body))
  route(app, promocodesApi.setActive, (ctx, { body }) => setPromoCodesActive(ctx, body.ids, body.active))
  route(app, promocodesApi.update, (ctx, { params, body }) => changePromoCode(ctx, params.id, body))
  route(app, promocodesApi.delete, (ctx, { params }) => deletePromoCode(ctx, params.id))
}
