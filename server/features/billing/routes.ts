import { billingApi } from '#contract/billing.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { ledgerApi } from '#contract/transactions-admin.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, admit, route } from '#server/http/route.ts'
import { changeDailyCap, grantsOf, spendOwn, usageByDay } from './balance.ts'
import { giveGift } from './gifts.ts'
import { listPromoCodes, promoBatchCsv, promoStatistics, promoTableCsv } from './promo-admin.ts'
import {
  changePromoCode,
  createPromoBatch,
  createPromoCode,
  deletePromoCode,
  type PromoKeys,
  readPromoCode,
  setPromoCodesActive,
} from './promo-codes.ts'
import { applyPromocode } from './promo-redeem.ts'
import { disputeEntry, listTransactions, transactionsCsv } from './transactions.ts'
import { ledgerCard, ledgerCsv, ledgerTotals, listLedger } from './transactions-admin.ts'

export function billingRoutes(app: App, { limits, promoKey, personKey }: PromoKeys & { limits: Limits }) {
  const keys = { promoKey, personKey }
  route(app, billingApi.spend, (ctx, { body }) => spendOwn(ctx, body))
  route(app, billingApi.setDailyCap, (ctx, { body }) => changeDailyCap(ctx, body.dailyCap))
  route(app, billingApi.grants, ({ db, user }) => grantsOf(db, user.id))
  route(app, billingApi.usage, (ctx, { query }) => usageByDay(ctx, query.days))
  route(app, billingApi.gift, (ctx, { params, body }) => giveGift(ctx, params.id, body))
  route(app, billingApi.applyPromocode, (ctx, { params, body }) =>
    applyPromocode({ ...ctx, ...keys }, limits, params.id, body.code),
  )

  route(app, transactionsApi.list, (ctx, { query }) => listTransactions(ctx, query))
  route(app, transactionsApi.dispute, (ctx, { params, body }) => disputeEntry(ctx, params.id, body.reason), {
    limit: 'disputes',
  })
  route(
    app,
    transactionsApi.csv,
    async (ctx, { query }, c) => {
      const ofOthers = query.all || (query.userId && query.userId !== ctx.user.id)
      if (ofOthers && ctx.user.role === 'admin') await admit(c, { who: 'admin', proof: 'fresh' })
      return transactionsCsv(ctx, query)
    },
    { limit: 'tables' },
  )
  route(app, ledgerApi.table, (ctx, { query }) => listLedger(ctx, query))
  route(app, ledgerApi.totals, (ctx, { query }) => ledgerTotals(ctx, query))
  route(app, ledgerApi.card, (ctx, { params }) => ledgerCard(ctx, params.id))
  route(app, ledgerApi.csv, (ctx, { query }) => ledgerCsv(ctx, query), { limit: 'tables' })

  route(app, promocodesApi.list, (ctx, { query }) => listPromoCodes({ ...ctx, ...keys }, query))
  // Before the routes with an id, so that «csv» is not read as one.
  route(app, promocodesApi.csv, (ctx, { query }) => promoTableCsv({ ...ctx, ...keys }, query), { limit: 'tables' })
  route(app, promocodesApi.get, (ctx, { params }) => readPromoCode(ctx, params.id))
  route(app, promocodesApi.statistics, (ctx, { params }) => promoStatistics(ctx, params.id))
  route(app, promocodesApi.create, (ctx, { body }) => createPromoCode({ ...ctx, ...keys }, body))
  route(app, promocodesApi.createBatch, (ctx, { body }) => createPromoBatch({ ...ctx, ...keys }, body))
  route(app, promocodesApi.createBatchCsv, (ctx, { body }) => promoBatchCsv({ ...ctx, ...keys }, body))
  route(app, promocodesApi.setActive, (ctx, { body }) => setPromoCodesActive(ctx, body.ids, body.active))
  route(app, promocodesApi.update, (ctx, { params, body }) => changePromoCode(ctx, params.id, body))
  route(app, promocodesApi.delete, (ctx, { params }) => deletePromoCode(ctx, params.id))
}
