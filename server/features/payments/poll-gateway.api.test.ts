import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { orders, subscriptions } from '#server/db/schema.ts'
import { reconcilePending, remindRenewals } from './poll-gateway.ts'
import { startPaidApp } from './testing/paid-app.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const inMs = (ms: number) => new Date(Date.now() + ms)

let tokens: string[] = []
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    checkout: (token) => {
      tokens.push(token)
      return real.checkout(token)
    },
  }),
})
afterEach(() => {
  tokens = []
})

test('a payment with a lost webhook is found for bundles and plans (S10.57)', async () => {
  const anna = await app.signIn()
  const [bundle, plan] = [await app.aBundle({ symbols: 500 }), await app.aPlan({ symbols: 1000 })]
  await app.control('lose-webhook', { count: 2 })
  await app.buyBundle(anna, bundle.id)
  await app.subscribe(anna, plan.id)
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['pending', 'pending'])
  await reconcilePending(app.payments, inMs(4 * MINUTE))
  expect((await app.balance(anna)).availableTokens).toBe(0)
  await reconcilePending(app.payments, inMs(6 * MINUTE))
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['paid', 'paid'])
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 1500, recurrent: true })
  await app.control('replay')
  expect((await app.balance(anna)).availableTokens).toBe(1500)
})

test('an unpaid order is checked three times and then closed (S10.57)', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  for (const [minutes, times] of [
    [4, 0],
    [6, 1],
    [29, 1],
    [31, 2],
    [24 * 60, 2],
    [25 * 60 + 1, 3],
    [48 * 60, 3],
  ] as const) {
    await reconcilePending(app.payments, inMs(minutes * MINUTE))
    expect([minutes, tokens.length]).toEqual([minutes, times])
  }
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'expired' }])
})

test('the waiting page makes the server ask the gateway, but not always (S10.57)', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await app.control('lose-webhook')
  const { redirect_url } = await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await app.ordersOf(anna)
  const poll = () => anna.call(paymentsApi.order, { params: { id: order?.id ?? '' } })
  await Promise.all(Array.from({ length: 10 }, poll))
  expect(tokens).toHaveLength(1)
  await app.press(redirect_url, 'pay')
  expect(await poll()).toMatchObject({ status: 'pending' })
  await app.db
    .update(orders)
    .set({ checkRequestedAt: inMs(-5000) })
    .where(eq(orders.id, order?.id ?? ''))
  expect(await poll()).toMatchObject({ status: 'paid' })
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('«Проверить оплату» finds the payment (S10.57)', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await app.control('lose-webhook')
  await app.buyBundle(anna, bundle.id)
  const [order] = await app.ordersOf(anna)
  expect(await app.owner.call(paymentsApi.check, { params: { id: order?.id ?? '' } })).toMatchObject({
    status: 'paid',
  })
  const none = app.owner.call(paymentsApi.check, { params: { id: 'none' } })
  await expect(none).rejects.toMatchObject({ status: 404 })
})

test('all renewals with lost webhooks are found two minutes after due (S10.57)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  await app.control('lose-webhook', { count: 2 })
  await app.control('renew', { id })
  await app.control('renew', { id })
  await reconcilePending(app.payments, inMs(30 * DAY + MINUTE))
  expect(await app.ordersOf(anna)).toHaveLength(1)
  await reconcilePending(app.payments, inMs(30 * DAY + 3 * MINUTE))
  expect((await app.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'paid'],
    ['renewal', 'paid'],
    ['plan', 'paid'],
  ])
})

test('an order that cannot be checked does not stop the others', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  const bundle = await app.aBundle()
  await app.control('lose-webhook', { count: 2 })
  await app.buyBundle(anna, bundle.id)
  await app.buyBundle(boris, bundle.id)
  const [order] = await app.ordersOf(anna)
  await app.db
    .update(orders)
    .set({ amount: 1 })
    .where(eq(orders.id, order?.id ?? ''))
  await reconcilePending(app.payments, inMs(6 * MINUTE))
  expect((await app.balance(anna)).availableTokens).toBe(0)
  expect((await app.balance(boris)).availableTokens).toBe(500)
})

test('a cancellation that did not reach the gateway is sent again (S10.51)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  await app.db
    .update(subscriptions)
    .set({ cancelRequestedAt: new Date(), checkAt: new Date() })
    .where(eq(subscriptions.gatewayId, id))
  expect((await app.balance(anna)).recurrent).toBe(false)
  await reconcilePending(app.payments, inMs(1000))
  expect(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription.state).toBe('canceled')
})

test('the payer gets a single email three days before a renewal (S10.72)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ price: 1990 })
  const id = await app.subscribe(anna, plan.id)
  const reminders = async () => (await app.emailsTo(anna)).filter(({ subject }) => subject.includes('скоро продлится'))
  await remindRenewals(app.payments, inMs(26 * DAY))
  expect(await reminders()).toHaveLength(0)
  await remindRenewals(app.payments, inMs(27 * DAY + MINUTE))
  await remindRenewals(app.payments, inMs(28 * DAY))
  expect(await reminders()).toHaveLength(1)
  expect((await reminders())[0]?.text).toContain('19,90')
  await app.control('renew', { id })
  await remindRenewals(app.payments, inMs(58 * DAY))
  expect(await reminders()).toHaveLength(2)
  await anna.call(paymentsApi.cancel, {})
  await remindRenewals(app.payments, inMs(59 * DAY))
  expect(await reminders()).toHaveLength(2)
})
