import type { Context } from 'hono'
import { gatewaysApi } from '#contract/gateways.ts'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { withBody } from '#server/http/body.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, callerOf, type Env, route } from '#server/http/route.ts'
import { discountFor } from '../promocodes/discount.ts'
import type { PromoKeys } from '../promocodes/promocodes.ts'
import { limitGuesses } from '../promocodes/redeem.ts'
import { cancelRenewal, cancelRenewalForUser } from './cancel.ts'
import { bundleUrl, type DiscountOf, saveConsent, subscriptionUrl } from './checkout.ts'
import type { PaymentDeps } from './deps.ts'
import { attachEvent, reopenEvent, resolveEvent, retryEvent } from './event-actions.ts'
import { readEvent } from './event-card.ts'
import { eventsCsv, listEvents } from './events-admin.ts'
import { checkGateway, gatewayStates } from './gateway-states.ts'
import { syncIfRenewalDue } from './gateway-sync.ts'
import { receiveWebhook } from './ingest.ts'
import { receiveNotification } from './notifications.ts'
import { listOrders } from './orders.ts'
import { orderCard, ordersCsv, orderTable, orderTotals } from './orders-admin.ts'
import { cancelPlanChange, changeOwnPlan, changeTerms, removeCard } from './plan-change.ts'
import {
  addBundle,
  addPlan,
  changeBundle,
  changePlan,
  deleteBundle,
  listBundles,
  listPlans,
  payable,
  reorderBundles,
  reorderPlans,
} from './plans.ts'
import { repeatReceipt } from './receipts.ts'
import { checkOrder, readOrder, refundOrder } from './refunds.ts'
import { bindMethod, readMethod } from './saved-methods.ts'
import { payOptions } from './shops.ts'

const MAX_WEBHOOK_BYTES = 256 * 1024
const webhookBody = (c: Context<Env>) => ({ mostBytes: MAX_WEBHOOK_BYTES, caller: callerOf(c) })

/** Mounted before the origin check: the gateway is not a browser and is authenticated by its signature. */
export function webhookRoute(app: App, deps: PaymentDeps) {
  route(
    app,
    paymentsApi.webhook,
    async (_ctx, _input, c) => {
      await withBody(c, webhookBody(c), (bytes) => receiveWebhook(deps, bytes, c.req.raw.headers))
      return { ok: true } as const
    },
    { limit: 'webhook' },
  )
  route(
    app,
    paymentsApi.notification,
    async (_ctx, _input, c) => {
      await withBody(c, webhookBody(c), (bytes) => receiveNotification(deps, bytes, c.get('ip')))
      return { ok: true } as const
    },
    { limit: 'webhook' },
  )
}

export function paymentRoutes(
  app: App,
  deps: PaymentDeps,
  { limits, promoKey, identityKey }: PromoKeys & { limits: Limits },
) {
  const discountOf: DiscountOf = (ctx, code) =>
    limitGuesses(limits, ctx, () => discountFor({ db: ctx.db, promoKey, identityKey }, ctx.user.id, code))

  route(app, plansApi.list, async (ctx) => payable(ctx, deps, await listPlans(ctx)))
  route(app, plansApi.create, (ctx, { body }) => addPlan(ctx, body))
  route(app, plansApi.reorder, (ctx, { body }) => reorderPlans(ctx, body.ids))
  route(app, plansApi.update, (ctx, { params, body }) => changePlan(ctx, deps, params.id, body))

  route(app, bundlesApi.list, async (ctx) => payable(ctx, deps, await listBundles(ctx)))
  route(app, bundlesApi.create, (ctx, { body }) => addBundle(ctx, body))
  route(app, bundlesApi.reorder, (ctx, { body }) => reorderBundles(ctx, body.ids))
  route(app, bundlesApi.update, (ctx, { params, body }) => changeBundle(ctx, params.id, body))
  route(app, bundlesApi.delete, (ctx, { params }) => deleteBundle(ctx, params.id))

  route(app, paymentsApi.consent, (ctx, { body }) => saveConsent(ctx, body), { limit: 'money' })
  route(app, paymentsApi.subscriptionUrl, (ctx, { query }) => subscriptionUrl(ctx, deps, { ...query, discountOf }), {
    limit: 'money',
  })
  route(app, paymentsApi.bundleUrl, (ctx, { query }) => bundleUrl(ctx, deps, query), { limit: 'money' })
  route(app, paymentsApi.cancel, (ctx) => cancelRenewal(ctx, deps))
  route(app, paymentsApi.changeTerms, (ctx, { query }) => changeTerms(ctx, query.planId))
  route(app, paymentsApi.changePlan, (ctx, { body }) => changeOwnPlan(ctx, deps, body), { limit: 'money' })
  route(app, paymentsApi.keepPlan, (ctx) => cancelPlanChange(ctx, deps), { limit: 'money' })
  route(app, paymentsApi.removeCard, (ctx) => removeCard(ctx, deps), { limit: 'money' })
  route(app, paymentsApi.options, (_ctx, { query }) => payOptions(deps, query.currency))
  route(app, paymentsApi.method, (ctx) => readMethod(ctx, deps))
  route(app, paymentsApi.bindMethod, (ctx, { body }) => bindMethod(ctx, deps, body.kind), { limit: 'money' })
  route(app, paymentsApi.orders, (ctx) => {
    syncIfRenewalDue(deps, ctx.user.id)
    return listOrders(ctx)
  })
  // Before the routes with an id, so that «table» is not read as one.
  route(app, ordersAdminApi.cancelRenewal, (ctx, { params }) => cancelRenewalForUser(ctx, deps, params.id))
  route(app, ordersAdminApi.table, (ctx, { query }) => orderTable(ctx, query))
  route(app, ordersAdminApi.totals, (ctx, { query }) => orderTotals(ctx, query))
  route(app, ordersAdminApi.csv, (ctx, { query }) => ordersCsv(ctx, query), { limit: 'downloads' })
  route(app, ordersAdminApi.card, (ctx, { params }) => orderCard(ctx, params.id))
  route(app, paymentsApi.order, (ctx, { params }) => readOrder(ctx, deps, params.id))
  route(app, paymentsApi.check, (ctx, { params }) => checkOrder(ctx, deps, params.id))
  route(app, paymentsApi.refund, (ctx, { params, body }) => refundOrder(ctx, deps, params.id, body))

  route(app, gatewaysApi.list, () => gatewayStates(deps))
  route(app, gatewaysApi.check, (ctx, { params }) => checkGateway(ctx, deps, params.name), {
    limit: 'money',
  })
  route(app, paymentsApi.repeatReceipt, (ctx, { params }) => repeatReceipt(ctx, deps, params.id))

  route(app, paymentEventsApi.table, (ctx, { query }) => listEvents({ ...ctx, identityKey }, query))
  route(app, paymentEventsApi.csv, (ctx, { query }) => eventsCsv({ ...ctx, identityKey }, query), {
    limit: 'downloads',
  })
  route(app, paymentEventsApi.get, (ctx, { params }) => readEvent(ctx, params.id))
  route(app, paymentEventsApi.retry, (ctx, { params }) => retryEvent(ctx, deps, params.id))
  route(app, paymentEventsApi.attach, (ctx, { params, body }) => attachEvent(ctx, deps, params.id, body.orderId))
  route(app, paymentEventsApi.resolve, (ctx, { params, body }) => resolveEvent(ctx, params.id, body.note))
  route(app, paymentEventsApi.reopen, (ctx, { params }) => reopenEvent(ctx, params.id))
}
