import { transactionsApi } from '#contract/transactions.ts'
import { ledgerApi } from '#contract/transactions-admin.ts'
import { type App, admit, route } from '#server/http/route.ts'
import { disputeEntry, listTransactions, transactionsCsv } from './transactions.ts'
import { ledgerCard, ledgerCsv, ledgerTotals, listLedger } from './transactions-admin.ts'

export function transactionRoutes(app: App) {
  route(app, transactionsApi.list, (ctx, { query }) => listTransactions(ctx, query))
  route(app, transactionsApi.dispute, (ctx, { params, body }) => disputeEntry(ctx, params.id, body.reason), {
    limit: 'money',
  })
  route(
    app,
    transactionsApi.csv,
    async (ctx, { query }, c) => {
      const ofOthers = query.all || (query.userId && query.userId !== ctx.user.id)
      if (ofOthers && ctx.user.role === 'admin') await admit(c, { who: 'admin', proof: 'fresh' })
      return transactionsCsv(ctx, query)
    },
    { limit: 'downloads' },
  )
  route(app, ledgerApi.table, (ctx, { query }) => listLedger(ctx, query))
  route(app, ledgerApi.totals, (ctx, { query }) => ledgerTotals(ctx, query))
  route(app, ledgerApi.card, (ctx, { params }) => ledgerCard(ctx, params.id))
  route(app, ledgerApi.csv, (ctx, { query }) => ledgerCsv(ctx, query), { limit: 'downloads' })
}
