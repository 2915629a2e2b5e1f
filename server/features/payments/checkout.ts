import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNull } from 'drizzle-orm'
import type { GatewayName, PayMethod } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { consents, liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { GatewayError, type NewCheckout, type PayPage } from '#server/payments/gateway.ts'
import type { Shop, YookassaShop } from '#server/payments/shop.ts'
import { trackEvent } from '../billing/events.ts'
import type { Discount } from '../promocodes/discount.ts'
import { type PaymentDeps, profileUrl, rejectImpersonator, webhookUrl } from './deps.ts'
import { closeOrder, openOrder, pageEndOf } from './open-order.ts'
import { type OrderRow, tracesOf, trackingIdOf } from './orders.ts'
import { bundleForSale, type PlanForSale, planForSale } from './plans.ts'
import { receiptFor } from './receipts.ts'
import { explainRefusal, offerOf, SOLD_ONCE } from './shop-refusals.ts'
import { requirePayments, shopForCurrency, shopOf } from './shops.ts'
import { expireOrder } from './subscriptions.ts'

interface Redirect {
  redirect_url: string
}

export type DiscountOf = (ctx: Ctx, code: string) => Promise<Discount>

const WAIT_MS = 250
const MAX_WAITS = 20

export async function saveConsent(ctx: Ctx, { planId, version }: { planId: string; version: string }) {
  rejectImpersonator(ctx)
  const { versionId: planVersionId } = await planForSale(ctx.db, planId)
  const consent = { id: newId(), userId: ctx.user.id, planVersionId, textVersion: version, ip: ctx.ip }
  await ctx.db.insert(consents).values(consent)
  return { id: consent.id }
}

export async function subscriptionUrl(
  ctx: Ctx,
  deps: PaymentDeps,
  {
    planId,
    discountOf,
    promocode,
    method,
    renews,
  }: {
    planId?: string | undefined
    promocode?: string | undefined
    method?: PayMethod | undefined
    renews?: 'true' | 'false' | undefined
    discountOf: DiscountOf
  },
): Promise<Redirect> {
  requirePayments(deps)
  rejectImpersonator(ctx)
  const { db, user } = ctx
  const live = await db.$count(subscriptions, and(eq(subscriptions.userId, user.id), liveSubscription()))
  if (live > 0) throw new AppError('conflict', 'У вас уже есть подписка. Сменить тариф можно в профиле.')
  const plan = await planForSale(db, planId)
  const discount = promocode ? await discountOf(ctx, promocode) : null
  const way = await wayOf(deps, shopForCurrency(deps, plan.currency), method)
  requireSeen(way, renews && renews === 'true')
  const order = await openOrder(db, {
    userId: user.id,
    ...way,
    kind: 'plan',
    planVersionId: plan.versionId,
    title: `Тариф «${plan.name}»`,
    symbols: plan.symbols,
    amount: discount ? discounted(plan.price, discount.percent) : plan.price,
    currency: plan.currency,
    promoId: discount?.promoId ?? null,
    discountPercent: discount?.percent ?? null,
  })
  return openPlanPage(ctx, deps, order, plan)
}

interface FirstPayment {
  amount: number
  symbols: number
  replacesId?: string
  /** Of the subscription that keeps its plan; otherwise the currency decides. */
  gateway?: GatewayName
  method?: PayMethod | undefined
  /** Whether the terms that the buyer saw had renewals. */
  renews?: boolean | undefined
}

/** The pay page of a plan whose first payment differs, for a change of plan. */
export async function openSubscriptionPage(
  ctx: Ctx,
  deps: PaymentDeps,
  plan: PlanForSale,
  first: FirstPayment,
): Promise<Redirect> {
  const { versionId: planVersionId, name, currency } = plan
  const title = `Тариф «${name}»`
  const { gateway, method, renews, ...payment } = first
  const way = await wayOf(deps, gateway ? shopOf(deps, { gateway }) : shopForCurrency(deps, currency), method)
  requireSeen(way, renews)
  const draft = { userId: ctx.user.id, ...way, kind: 'plan' as const, planVersionId, title, currency, ...payment }
  return openPlanPage(ctx, deps, await openOrder(ctx.db, draft), plan)
}

async function openPlanPage(
  ctx: Ctx,
  deps: PaymentDeps,
  order: Awaited<ReturnType<typeof openOrder>>,
  plan: PlanForSale,
): Promise<Redirect> {
  const shop = shopOf(deps, order)
  const { db, user } = ctx
  if (!order.isNew) return awaitPage(db, order)
  if (order.replacedId) await closeOrder(deps, order.replacedId)
  await trackEvent(db, 'Оформление подписки', user.id, { planId: plan.id, orderId: order.id })
  return openPage(deps, order, async () => {
    if (shop.name === 'yookassa') {
      const page = await openCheckout(deps, shop, { ...checkoutFields(ctx, deps, order), savesMethod: order.renews })
      return { page, subscriptionId: null }
    }
    const page = await shop.gateway.createSubscription(subscriptionFields(ctx, deps, order, plan))
    return { page, subscriptionId: await saveSubscription(db, order, page.id) }
  })
}

/** The chosen method must be one that the shop offers; bePaid's page asks for it itself. */
async function wayOf(deps: PaymentDeps, shop: Shop, method: PayMethod | undefined) {
  if (shop.name === 'bepaid') return { gateway: shop.name, method: null, renews: true }
  const { methods, once, isOnce } = await offerOf(deps, shop)
  if (method && !methods.includes(method)) {
    throw new AppError('bad_request', 'Так заплатить нельзя: выберите другой способ.', { field: 'method' })
  }
  return { gateway: shop.name, method: method ?? null, renews: method ? !once.includes(method) : !isOnce }
}

/** Nobody buys other terms than those that were shown. */
function requireSeen(way: { renews: boolean }, seen: boolean | undefined): void {
  if (seen === undefined || seen === way.renews) return
  throw new AppError('conflict', way.renews ? RENEWS_AGAIN : SOLD_ONCE)
}

const RENEWS_AGAIN = 'Условия изменились: тариф снова продлевается сам. Посмотрите их и подтвердите ещё раз.'

async function openCheckout(deps: PaymentDeps, shop: YookassaShop, checkout: NewCheckout): Promise<PayPage> {
  try {
    return await shop.gateway.createCheckout(checkout)
  } catch (error) {
    throw await explainRefusal(deps, shop, checkout, error)
  }
}

export async function bundleUrl(
  ctx: Ctx,
  deps: PaymentDeps,
  { bundleId, method }: { bundleId: string; method?: PayMethod | undefined },
): Promise<Redirect> {
  requirePayments(deps)
  rejectImpersonator(ctx)
  const bundle = await bundleForSale(ctx.db, bundleId)
  const { symbols, price: amount, currency, name: title } = bundle
  const { renews: _, ...way } = await wayOf(deps, shopForCurrency(deps, currency), method)
  const order = await openOrder(ctx.db, {
    userId: ctx.user.id,
    ...way,
    kind: 'bundle',
    bundleId,
    title,
    symbols,
    amount,
    currency,
  })
  if (!order.isNew) return awaitPage(ctx.db, order)
  const shop = shopOf(deps, order)
  const checkout = checkoutFields(ctx, deps, order)
  return openPage(deps, order, async () => ({
    page: await (shop.name === 'yookassa' ? openCheckout(deps, shop, checkout) : shop.gateway.createCheckout(checkout)),
    subscriptionId: null,
  }))
}

/** Whole minor units, at least one: a card cannot be charged zero. */
function discounted(price: number, percent: number): number {
  return Math.max(1, Math.round((price * (100 - percent)) / 100))
}

function checkoutFields({ user, ip }: Ctx, deps: PaymentDeps, order: OrderRow) {
  return {
    trackingId: trackingIdOf(order),
    title: order.title,
    amount: order.amount,
    currency: order.currency,
    expiresAt: pageEndOf(order),
    customer: { userId: user.id, email: user.email, ip },
    returnUrl: `${profileUrl(deps)}?payment=${order.id}`,
    notificationUrl: webhookUrl(deps),
    method: order.method,
    receipt: receiptFor(deps, order, user.email),
  }
}

function subscriptionFields(ctx: Ctx, deps: PaymentDeps, order: OrderRow, { price, intervalDays }: PlanForSale) {
  const { amount: _, expiresAt: __, method: ___, receipt: ____, ...fields } = checkoutFields(ctx, deps, order)
  return {
    ...fields,
    price,
    intervalDays,
    firstPrice: order.amount === price ? null : order.amount,
  }
}

async function saveSubscription(db: Db, { userId, planVersionId }: OrderRow, gatewayId: string) {
  if (!planVersionId) throw new Error('A subscription needs a plan')
  const [row] = await db
    .insert(subscriptions)
    .values({ id: newId(), gatewayId, userId, planVersionId, state: 'redirecting' })
    .onConflictDoUpdate({ target: subscriptions.gatewayId, set: { gatewayId } })
    .returning({ id: subscriptions.id })
  return row?.id ?? null
}

type Created = { page: PayPage; subscriptionId: string | null }

/** Creates the pay page and stores its URL. An order whose page was not created is closed: it can never be paid. */
async function openPage(deps: PaymentDeps, order: OrderRow, create: () => Promise<Created>): Promise<Redirect> {
  const { db } = deps
  try {
    const { page, subscriptionId } = await createWithRetry(deps, order, create)
    const [saved] = await db
      .update(orders)
      .set({
        gatewayToken: page.token,
        redirectUrl: page.redirect_url,
        qr: page.qr ?? null,
        redirectExpiresAt: pageEndOf(order),
        subscriptionId,
      })
      .where(eq(orders.id, order.id))
      .returning({ status: orders.status })
    if (saved?.status === 'expired') {
      await closeOrder(deps, order.id)
      throw new AppError('conflict', 'Вы открыли другую страницу оплаты. Оплатите на ней или начните заново.')
    }
    return { redirect_url: page.redirect_url }
  } catch (error) {
    await db.transaction((tx) => expireOrder(tx, order.id))
    throw error
  }
}

/**
 * After a timeout the page may exist, but no user has seen it, so a second request is safe, unless something was paid
 * under this tracking id.
 */
async function createWithRetry(deps: PaymentDeps, order: OrderRow, create: () => Promise<Created>): Promise<Created> {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof GatewayError) || error.outcome !== 'unknown') throw error
    // ЮKassa carries out a request with this key once, so it is safe to repeat.
    if (order.gateway === 'yookassa') return create()
    const paid = await shopOf(deps, order).gateway.transactionsOf(tracesOf(order))
    if (paid.length > 0) throw error
    return create()
  }
}

/** Another tab is creating the same page; the gateway needs a moment. */
async function awaitPage(db: Db, { id, redirectUrl }: OrderRow): Promise<Redirect> {
  if (redirectUrl) return { redirect_url: redirectUrl }
  for (let i = 0; i < MAX_WAITS; i++) {
    await pause(WAIT_MS)
    const [order] = await db
      .select({ redirectUrl: orders.redirectUrl })
      .from(orders)
      .where(and(eq(orders.id, id), isNull(orders.paidAt)))
    if (order?.redirectUrl) return { redirect_url: order.redirectUrl }
  }
  throw new AppError('conflict', 'Страница оплаты уже открывается. Подождите несколько секунд и попробуйте ещё раз.')
}
