import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CONSENT_VERSION, paymentsApi } from '#contract/payments.ts'
import { plansApi } from '#contract/plans.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { consents, events, orders } from '#server/db/schema.ts'
import { startTestApp } from '#server/testing/app.ts'
import { startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()

test('without settings the call says plainly that payment is not set up (S10.78)', async () => {
  const bare = await startTestApp()
  const anna = await bare.signIn()
  const url = anna.call(paymentsApi.subscriptionUrl, { query: {} })
  await expect(url).rejects.toMatchObject({
    status: 503,
    code: 'payments_off',
    message: expect.stringContaining('Оплата не настроена'),
  })
  expect((await bare.app.request('/api/bepaid/webhook', { method: 'POST', body: '{}' })).status).toBe(503)
  await bare.close()
})

test('paying for a plan adds its symbols and sets the next charge (S1.27, S10.36, S10.48, S10.69)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 7000, price: 2990 })
  const { redirect_url } = await anna.call(paymentsApi.subscriptionUrl, { query: { planId: plan.id } })
  const page = await (await fetch(redirect_url)).text()
  for (const word of ['Оплатить', 'Отклонить', 'Отменить', '29,90']) expect(page).toContain(word)
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 0, recurrent: false })
  const back = new URL(await app.press(redirect_url, 'pay'))
  const [order] = await app.ordersOf(anna)
  expect(back.pathname).toBe('/profile')
  expect(back.searchParams.get('payment')).toBe(order?.id)
  expect(order).toMatchObject({
    kind: 'plan',
    status: 'paid',
    amount: 2990,
    symbols: 7000,
    title: `Тариф «${plan.name}»`,
  })
  expect(await (await fetch(order?.receiptUrl ?? '')).text()).toContain('29,90')
  const balance = await app.balance(anna)
  expect(balance).toMatchObject({
    availableTokens: 7000,
    active: true,
    recurrent: true,
    plan: { id: plan.id, name: plan.name },
    nextCharge: { amount: 2990, currency: 'BYN', at: balance.periodEnd },
  })
  const days = (Date.parse(balance.periodEnd ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(30)
})

test('without planId the first plan on sale is taken (S1.27, S10.48)', async () => {
  const first = await app.aPlan({ position: -10 })
  const anna = await app.signIn()
  await anna.call(paymentsApi.subscriptionUrl, { query: {} })
  expect(await app.ordersOf(anna)).toMatchObject([{ title: `Тариф «${first.name}»`, status: 'pending' }])
  await app.owner.call(plansApi.update, { params: { id: first.id }, body: { active: false } })
})

test('a plan or bundle off sale cannot be paid for', async () => {
  const anna = await app.signIn()
  const gone = await app.aPlan()
  await app.owner.call(plansApi.update, { params: { id: gone.id }, body: { active: false } })
  for (const planId of [gone.id, 'none']) {
    await expect(anna.call(paymentsApi.subscriptionUrl, { query: { planId } })).rejects.toMatchObject({ status: 404 })
  }
  await expect(anna.call(paymentsApi.bundleUrl, { query: { bundleId: 'none' } })).rejects.toMatchObject({ status: 404 })
})

test('repeated requests to pay lead to the same page (S10.48)', async () => {
  const anna = await app.signIn()
  const { id: planId } = await app.aPlan()
  const ask = () => anna.call(paymentsApi.subscriptionUrl, { query: { planId } })
  const answers = await Promise.all(Array.from({ length: 10 }, ask))
  expect(new Set([...answers, await ask()].map(({ redirect_url }) => redirect_url)).size).toBe(1)
  expect(await app.ordersOf(anna)).toHaveLength(1)
})

test('a new price makes a new page for a bundle', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle({ price: 350 })
  const ask = () => anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const old = await ask()
  expect(await ask()).toEqual(old)
  await app.owner.fetch(`/api/tokens-bundles/${bundle.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ price: 500 }),
  })
  expect(await ask()).not.toEqual(old)
  expect((await app.ordersOf(anna)).map(({ status, amount }) => [status, amount])).toEqual([
    ['pending', 500],
    ['expired', 350],
  ])
})

test('a bundle is paid once and its symbols never run out (S10.5, S10.48)', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle({ symbols: 12_000 })
  await app.buyBundle(anna, bundle.id)
  await app.buyBundle(anna, bundle.id)
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 24_000, periodEnd: null, recurrent: false })
  const grants = (await (await anna.fetch('/api/profile/grants')).json()) as {
    kind: string
    expiresAt: string | null
  }[]
  expect(grants.map(({ kind, expiresAt }) => [kind, expiresAt])).toEqual([
    ['bundle', null],
    ['bundle', null],
  ])
})

test('a user with a renewing subscription cannot buy a second subscription', async () => {
  const anna = await app.signIn()
  const { id } = await app.aPlan()
  await app.subscribe(anna, id)
  const again = anna.call(paymentsApi.subscriptionUrl, { query: { planId: id } })
  await expect(again).rejects.toMatchObject({ status: 409, code: 'conflict' })
})

test('a declined card leaves the balance unchanged; a retry makes an order', async () => {
  const anna = await app.signIn()
  const { id: planId } = await app.aPlan()
  const first = await anna.call(paymentsApi.subscriptionUrl, { query: { planId } })
  await app.press(first.redirect_url, 'decline')
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'failed' }])
  await app.subscribe(anna, planId)
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['paid', 'failed'])
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 1000, recurrent: true })
})

test('leaving the payment page changes nothing, and declined bundles stay payable', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  const { redirect_url } = await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  await app.press(redirect_url, 'cancel')
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'pending' }])
  await app.press(redirect_url, 'decline')
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'failed' }])
  await app.press(redirect_url, 'pay')
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'paid' }])
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('a lost gateway response still leads to a page, paid once', async () => {
  const anna = await app.signIn()
  const { id } = await app.aPlan()
  await app.control('timeout-after-commit')
  await app.subscribe(anna, id)
  const bundle = await app.aBundle()
  await app.control('timeout-after-commit')
  await app.buyBundle(anna, bundle.id)
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['paid', 'paid'])
  expect((await app.balance(anna)).availableTokens).toBe(1500)
})

test('a silent gateway is a 503, and the order is closed', async () => {
  const anna = await app.signIn()
  const { id: planId } = await app.aPlan()
  await app.control('timeout-after-commit', { count: 2 })
  const ask = () => anna.call(paymentsApi.subscriptionUrl, { query: { planId } })
  await expect(ask()).rejects.toMatchObject({ status: 503, message: expect.stringContaining('не отвечает') })
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'expired' }])
  expect((await ask()).redirect_url).toContain('token=')
})

test('a code discounts the first payment, not the next charge (S10.85)', async () => {
  const anna = await app.signIn()
  const { id: planId } = await app.aPlan({ price: 1000 })
  const code = `СКИДКА-${planId.slice(-8)}`
  await app.owner.call(promocodesApi.create, { body: { code, discountPercent: 30 } })
  const { redirect_url } = await anna.call(paymentsApi.subscriptionUrl, { query: { planId, promocode: code } })
  await app.press(redirect_url, 'pay')
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'paid', amount: 700 }])
  expect(await app.balance(anna)).toMatchObject({ recurrent: true, nextCharge: { amount: 1000 } })
  await app.control('renew')
  expect((await app.ordersOf(anna)).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['renewal', 1000],
    ['plan', 700],
  ])
  const boris = await app.signIn()
  const again = boris.call(paymentsApi.subscriptionUrl, { query: { planId, promocode: code } })
  await expect(again).rejects.toMatchObject({ status: 409 })
  const wrong = boris.call(paymentsApi.subscriptionUrl, { query: { planId, promocode: 'нет-такого' } })
  await expect(wrong).rejects.toMatchObject({ status: 400, message: 'Код недействителен' })
})

test('an unpaid page frees its promo code (S10.89)', async () => {
  const { id: planId } = await app.aPlan({ price: 1000 })
  const code = `ОДИН-${planId.slice(-8)}`
  await app.owner.call(promocodesApi.create, { body: { code, discountPercent: 100 } })
  const anna = await app.signIn()
  const boris = await app.signIn()
  const ask = (person: typeof anna) => person.call(paymentsApi.subscriptionUrl, { query: { planId, promocode: code } })
  await ask(anna)
  expect(await app.ordersOf(anna)).toMatchObject([{ amount: 1 }])
  await expect(ask(boris)).rejects.toMatchObject({ status: 409 })
  await app.control('expire')
  expect((await ask(boris)).redirect_url).toContain('token=')
})

test('the consent to renewal is stored with version, price and IP address (S10.66)', async () => {
  const anna = await app.signIn()
  const { id: planId } = await app.aPlan()
  const { id } = await anna.call(paymentsApi.consent, { body: { planId, version: CONSENT_VERSION } })
  const [consent] = await app.db.select().from(consents).where(eq(consents.id, id))
  expect(consent).toMatchObject({ userId: anna.user.id, textVersion: CONSENT_VERSION, ip: '127.0.0.1' })
  expect(consent?.planVersionId).toBeTruthy()
})

test('only owners see their orders; admin actions need an admin', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const bundle = await app.aBundle()
  await app.buyBundle(anna, bundle.id)
  const [order] = await app.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  expect(await anna.call(paymentsApi.order, { params })).toMatchObject(order ?? {})
  expect(await app.ordersOf(boris)).toEqual([])
  await expect(boris.call(paymentsApi.order, { params })).rejects.toMatchObject({ status: 404 })
  await expect(boris.call(paymentsApi.refund, { params, body: { reason: 'моё' } })).rejects.toMatchObject({
    status: 403,
  })
})

test('payments are recorded for the statistics', async () => {
  const anna = await app.signIn()
  const { id } = await app.aPlan()
  await app.subscribe(anna, id)
  const noted = await app.db.select({ event: events.event }).from(events).where(eq(events.userId, anna.user.id))
  expect(noted.map(({ event }) => event)).toEqual(expect.arrayContaining(['Оформление подписки', 'Оплата прошла']))
})

test('the database rejects paid orders without payment and second open orders (S10.36)', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await app.db.select().from(orders).where(eq(orders.userId, anna.user.id))
  if (!order) throw new Error('no order')
  await expect(app.db.update(orders).set({ status: 'paid' }).where(eq(orders.id, order.id))).rejects.toThrow()
  await expect(app.db.insert(orders).values({ ...order, id: 'second', gatewayToken: null })).rejects.toThrow()
})
