import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { orders, refunds } from '#server/db/schema.ts'
import { noFaults } from '#server/payments/fake-yookassa/accounts.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import type { YookassaShop } from '#server/payments/shop.ts'
import type { PaymentDeps } from './deps.ts'
import { checkRefunds } from './pending-refunds.ts'
import { reconcilePending } from './poll-gateway.ts'
import { checkReceipts } from './receipts.ts'
import { startYookassaApp } from './testing/yookassa-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const inMs = (ms: number) => new Date(Date.now() + ms)

const app = await startYookassaApp()
const { shop } = app
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(shop.faults, noFaults())
})
const bundle = await app.aBundle()
const here = app.payments.shops.yookassa
if (!here) throw new Error('no shop')

/** The same server with another shop, as after a change of the settings. */
const withShop = (change: Partial<YookassaShop>): PaymentDeps => ({
  ...app.payments,
  shops: { bepaid: null, yookassa: { ...here, ...change } },
})

const buy = async (method?: 'sbp' | 'bank_card') => {
  const person = await app.signIn()
  await person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id, ...(method && { method }) } })
  const [row] = await app.db.select().from(orders).where(eq(orders.userId, person.user.id))
  return { person, id: row?.id ?? '', token: row?.gatewayToken ?? '' }
}
async function paid() {
  const bought = await buy()
  await app.pay()
  return bought
}
const symbolsOf = async (person: Awaited<ReturnType<typeof app.signIn>>) => (await app.balance(person)).availableTokens
const refund = (id: string, amount?: number) =>
  app.owner.call(paymentsApi.refund, { params: { id }, body: { reason: 'Просил', ...(amount && { amount }) } })
const cardOf = async (id: string) => (await app.owner.call(ordersAdminApi.card, { params: { id } })).order
const openProblems = async (query: string) =>
  (await app.owner.call(paymentEventsApi.table, { query: { query, state: 'open' } })).items
const refundsOf = (id: string) => app.db.select().from(refunds).where(eq(refunds.orderId, id))

test('a page that was seen waiting is over when it expires (S10.950)', async () => {
  const { person, id, token } = await buy()
  const read = () => person.call(paymentsApi.order, { params: { id } })
  expect(await read()).toMatchObject({ status: 'pending', progress: 'untouched' })
  shop.faults.lost = 1
  shop.expire(token)
  await reconcilePending(app.payments, inMs(6 * MINUTE))
  expect(await read()).toMatchObject({ status: 'expired' })
})

test('a replaced page that is paid nevertheless counts without a notification (S10.950)', async () => {
  const { person, token } = await buy('sbp')
  await person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id, method: 'bank_card' } })
  shop.faults.lost = 1
  shop.pay(token)
  await reconcilePending(app.payments, inMs(6 * MINUTE))
  expect(await symbolsOf(person)).toBe(500)
})

test.each([
  ['another sum', { amount: { value: '1.00', currency: 'RUB' } }],
  ['another currency', { amount: { value: '350.50', currency: 'KZT' } }],
  ['another order', { metadata: { order: 'bundle:another' } }],
  ['no order', { metadata: {} }],
])('a payment that names %s is not counted (S10.951)', async (_name, change) => {
  const { person, id, token } = await buy()
  Object.assign(shop.payments.get(token) ?? {}, change)
  shop.pay(token)
  await shop.idle()
  await reconcilePending(app.payments, inMs(6 * MINUTE))
  expect(await symbolsOf(person)).toBe(0)
  expect((await cardOf(id)).status).not.toBe('paid')
  expect(await openProblems(token)).toHaveLength(1)
})

test('a notification about an unknown payment is shown to the admins once (S10.951)', async () => {
  const lost = { type: 'notification', event: 'payment.succeeded', object: { id: 'of-another-shop' }, transaction: {} }
  for (let i = 0; i < 2; i++) expect((await app.notify(lost)).status).toBe(200)
  expect(await openProblems('of-another-shop')).toMatchObject([{ kind: 'unknown', gateway: 'yookassa' }])
})

test.each([
  ['2a02:5180::7', 200],
  ['203.0.113.9, 2A02:5180:0:1::7', 200],
  ['::ffff:185.71.76.5', 200],
  ['2a02:5180::7, 2a02:5181::7', 403],
  ['unknown', 403],
])('a notification that the proxy got from %s is answered with %i (S10.911)', async (sender, status) => {
  const { person, token } = await buy()
  shop.faults.lost = 1
  shop.pay(token)
  const notification = { type: 'notification', event: 'payment.succeeded', object: { id: token } }
  expect((await app.notify(notification, sender)).status).toBe(status)
  expect(await symbolsOf(person)).toBe(status === 200 ? 500 : 0)
})

test('a shop that was changed neither loses nor repeats a payment (S10.951)', async () => {
  const { person, token } = await buy()
  const gateway = { ...here.gateway, transactionsOf: async () => [] }
  await reconcilePending(withShop({ gateway }), inMs(6 * MINUTE))
  shop.faults.lost = 1
  shop.pay(token)
  await reconcilePending(app.payments, inMs(30 * MINUTE))
  expect(await symbolsOf(person)).toBe(500)
})

test('a pending refund is shown to the payer and the owner (S10.952)', async () => {
  const { person, id } = await paid()
  shop.faults.refunds = ['pending']
  expect((await refund(id, 5000)).pendingRefund).toMatchObject({ amount: 5000 })
  expect((await app.ordersOf(person))[0]?.pendingRefund).toMatchObject({ amount: 5000 })
  expect((await cardOf(id)).pendingRefund).toMatchObject({ amount: 5000 })
  shop.endRefund([...shop.refunds.keys()].at(-1) ?? '', 'canceled')
  await checkRefunds(app.payments, inMs(10 * MINUTE))
  expect((await cardOf(id)).pendingRefund).toBeNull()
  expect(await openProblems(id)).toHaveLength(1)
  await refund(id, 5000)
  expect(await openProblems(id)).toEqual([])
})

test('a refund that the gateway refuses ends at once with a problem (S10.952)', async () => {
  const { id } = await paid()
  shop.faults.refused = 1
  await expect(refund(id)).rejects.toMatchObject({ status: 409 })
  expect(await refundsOf(id)).toMatchObject([{ state: 'canceled', cancelReason: 'refused', uid: null }])
  expect(await openProblems(id)).toHaveLength(1)
  expect(await refund(id)).toMatchObject({ status: 'refunded' })
})

test('a refund is found when the settings changed before its answer (S10.952)', async () => {
  const { id } = await paid()
  const before = shop.refunds.size
  shop.faults.failed = 1
  await expect(refund(id)).rejects.toMatchObject({ status: 503 })
  const receipts = here.receipts && { ...here.receipts, vatCode: 11 }
  await checkRefunds(withShop({ receipts }), inMs(10 * MINUTE))
  expect((await cardOf(id)).status).toBe('refunded')
  expect(shop.refunds.size).toBe(before + 1)
})

test('after a day a refund is recognized by its request (S10.952)', async () => {
  const [made, away] = [await paid(), await paid()]
  shop.faults.failed = 1
  await expect(refund(made.id, 5000)).rejects.toMatchObject({ status: 503 })
  vi.spyOn(here.gateway, 'refund').mockRejectedValue(new GatewayError('unknown'))
  await expect(refund(away.id, 5000)).rejects.toMatchObject({ status: 503 })
  const amount = { value: '50.00', currency: 'RUB' }
  shop.faults.lost = 1
  shop.createRefund({ payment_id: away.token, amount, description: 'By hand', metadata: {} })
  await checkRefunds(app.payments, inMs(24 * HOUR))
  expect(await refundsOf(made.id)).toMatchObject([{ state: 'succeeded' }])
  expect(await refundsOf(away.id)).toMatchObject([{ state: 'canceled', cancelReason: 'not_sent' }])
})

test('a repeat of a receipt whose answer is lost is asked about (S10.953)', async () => {
  shop.faults.receipts = ['canceled']
  const { person } = await paid()
  await checkReceipts(app.payments, inMs(5 * MINUTE))
  const receipt = async () => (await app.ordersOf(person))[0]?.receipts[0]
  const repeat = async () => app.owner.call(paymentsApi.repeatReceipt, { params: { id: (await receipt())?.id ?? '' } })
  shop.faults.refused = 1
  await expect(repeat()).rejects.toMatchObject({ status: 503 })
  expect((await receipt())?.state).toBe('rejected')
  const before = shop.receipts.size
  shop.faults.failed = 1
  await expect(repeat()).rejects.toMatchObject({ status: 503 })
  expect((await receipt())?.state).toBe('pending')
  await checkReceipts(app.payments, inMs(5 * MINUTE))
  expect((await receipt())?.state).toBe('registered')
  expect(shop.receipts.size).toBe(before + 1)
})

test('a late answer about the first receipt does not undo its repeat (S10.953)', async () => {
  shop.faults.receipts = ['canceled']
  const { person } = await paid()
  let open = () => {}
  const gate = new Promise<void>((done) => {
    open = done
  })
  const gateway = {
    ...here.gateway,
    receiptsOf: async (of: Parameters<typeof here.gateway.receiptsOf>[0]) => {
      const found = await here.gateway.receiptsOf(of)
      await gate
      return found
    },
  }
  const late = checkReceipts(withShop({ gateway }), inMs(5 * MINUTE))
  await checkReceipts(app.payments, inMs(5 * MINUTE))
  const receipt = async () => (await app.ordersOf(person))[0]?.receipts[0]
  await app.owner.call(paymentsApi.repeatReceipt, { params: { id: (await receipt())?.id ?? '' } })
  open()
  await late
  expect((await receipt())?.state).toBe('registered')
})

test('a receipt that was registered late is not sent again (S10.953)', async () => {
  shop.faults.receipts = ['pending']
  const { person } = await paid()
  const receipt = async () => (await app.ordersOf(person))[0]?.receipts[0]
  const id = (await receipt())?.id ?? ''
  const before = shop.receipts.size
  shop.endReceipt([...shop.receipts.keys()].at(-1) ?? '', 'succeeded')
  vi.useFakeTimers({ toFake: ['Date'], now: inMs(13 * HOUR) })
  const answer = app.owner.call(paymentsApi.repeatReceipt, { params: { id } })
  await answer.finally(() => vi.useRealTimers())
  expect((await receipt())?.state).toBe('registered')
  expect(shop.receipts.size).toBe(before)
})

test('a refund made in the back office counts once with its receipt (S10.952)', async () => {
  const { person, id, token } = await paid()
  shop.faults.doubled = 1
  shop.createRefund({ payment_id: token, amount: { value: '350.50', currency: 'RUB' }, description: '', metadata: {} })
  await shop.idle()
  expect(await cardOf(id)).toMatchObject({ status: 'refunded', refundedAmount: 35_050 })
  expect(await symbolsOf(person)).toBe(0)
})
