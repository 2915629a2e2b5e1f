import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { gatewaysApi } from '#contract/gateways.ts'
import { healthApi } from '#contract/health.ts'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { auditLog, orders } from '#server/db/schema.ts'
import { noFaults } from '#server/payments/fake-yookassa/accounts.ts'
import { compareWithYookassa } from './compare-yookassa.ts'
import { findGatewayCheck } from './gateway-checks.ts'
import { checkRefunds } from './pending-refunds.ts'
import { reconcilePending } from './poll-gateway.ts'
import { checkReceipts } from './receipts.ts'
import { startYookassaApp } from './testing/yookassa-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const inMs = (ms: number) => new Date(Date.now() + ms)

const app = await startYookassaApp()
const { shop } = app
afterEach(() => Object.assign(shop.faults, noFaults()))
const bundle = await app.aBundle()

const buy = async (method?: 'sbp' | 'bank_card') => {
  const person = await app.signIn()
  const query = { bundleId: bundle.id, ...(method && { method }) }
  const { redirect_url } = await person.call(paymentsApi.bundleUrl, { query })
  const [order] = await app.ordersOf(person)
  if (!order) throw new Error('no order')
  const [row] = await app.db.select().from(orders).where(eq(orders.id, order.id))
  return { person, redirect_url, id: order.id, token: row?.gatewayToken ?? '' }
}

test('an order in roubles is paid through ЮKassa and counts once (S10.910)', async () => {
  const { person, redirect_url, id, token } = await buy()
  expect(redirect_url).toBe(`${app.fake.url}/checkout?id=${token}`)
  expect(shop.payments.get(token)).toMatchObject({
    amount: { value: '350.50', currency: 'RUB' },
    metadata: { order: `bundle:${id}` },
  })
  shop.faults.doubled = 1
  shop.pay(token)
  await shop.idle()
  expect((await app.balance(person)).availableTokens).toBe(500)
  expect(await person.call(paymentsApi.order, { params: { id } })).toMatchObject({ status: 'paid', payUrl: null })
  const card = await app.owner.call(ordersAdminApi.card, { params: { id } })
  expect(card.order).toMatchObject({ gateway: 'yookassa', gatewayUid: token })
})

test('a lost notification is made up for by polling (S10.912)', async () => {
  const { person, token } = await buy()
  shop.faults.lost = 1
  shop.pay(token)
  await reconcilePending(app.payments, inMs(MINUTE))
  expect((await app.balance(person)).availableTokens).toBe(0)
  await reconcilePending(app.payments, inMs(6 * MINUTE))
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('a late notification changes nothing that polling has counted (S10.912)', async () => {
  const { person, id, token } = await buy()
  shop.faults.lateMs = 50
  shop.pay(token)
  expect(await person.call(paymentsApi.order, { params: { id } })).toMatchObject({ status: 'paid' })
  await shop.idle()
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('a notification from a foreign address is refused and not read (S10.911)', async () => {
  const { person, token } = await buy()
  shop.faults.foreign = 1
  shop.pay(token)
  await shop.idle()
  expect((await app.balance(person)).availableTokens).toBe(0)
  const forged = { type: 'notification', event: 'payment.succeeded', object: { id: token, status: 'succeeded' } }
  expect((await app.notify(forged, '203.0.113.9')).status).toBe(403)
  // The first item of the header is the client's own claim.
  expect((await app.notify(forged, '185.71.76.5, 203.0.113.9')).status).toBe(403)
  expect((await app.notify(forged)).status).toBe(200)
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('only the object that is read counts, not the notification (S10.911)', async () => {
  const { person, id, token } = await buy()
  const claim = { type: 'notification', event: 'payment.succeeded', object: { id: token, status: 'succeeded' } }
  expect((await app.notify(claim)).status).toBe(200)
  expect((await app.balance(person)).availableTokens).toBe(0)
  shop.faults.contradicting = 1
  shop.pay(token)
  await shop.idle()
  expect(shop.sent.at(-1)).toEqual({ event: 'payment.canceled', id: token })
  expect(await person.call(paymentsApi.order, { params: { id } })).toMatchObject({ status: 'paid' })
  const unknown = { type: 'notification', event: 'payment.succeeded', object: { id: 'unknown' } }
  expect((await app.notify(unknown)).status).toBe(200)
  expect((await app.notify({ hello: 1 })).status).toBe(400)
})

test.each(['failed', 'silent'] as const)(
  'a payment made although the answer %s is opened once (S10.910)',
  async (fault) => {
    const before = shop.payments.size
    shop.faults[fault] = 1
    const { token } = await buy()
    expect(shop.payments.size).toBe(before + 1)
    expect(shop.payments.get(token)?.status).toBe('pending')
  },
)

test('a decline says why, and the next try is a new order (S10.913)', async () => {
  const { person, id, token } = await buy()
  shop.decline(token, 'insufficient_funds')
  await shop.idle()
  const declined = await person.call(paymentsApi.order, { params: { id } })
  expect(declined).toMatchObject({ status: 'failed', declineReason: 'funds' })
  await person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  await app.pay()
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('a page that was not paid within the hour is over (S10.913)', async () => {
  const { person, id, token } = await buy()
  shop.faults.lost = 1
  shop.expire(token)
  expect(await person.call(paymentsApi.order, { params: { id } })).toMatchObject({ status: 'expired', payUrl: null })
})

test('СБП shows a QR code on our page until it is paid (S10.914)', async () => {
  const { person, redirect_url, id, token } = await buy('sbp')
  expect(new URL(redirect_url).search).toBe(`?payment=${id}`)
  const waiting = await person.call(paymentsApi.order, { params: { id } })
  expect(waiting).toMatchObject({
    status: 'pending',
    progress: 'untouched',
    payUrl: null,
    qr: { text: `${app.fake.url}/sbp?id=${token}` },
  })
  const left = new Date(waiting.qr?.expiresAt ?? 0).getTime() - Date.now()
  expect(left).toBeGreaterThan(58 * MINUTE)
  expect(left).toBeLessThanOrEqual(HOUR)
  shop.pay(token)
  await shop.idle()
  expect(await person.call(paymentsApi.order, { params: { id } })).toMatchObject({ status: 'paid', qr: null })
  const refused = person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id, method: 'yoo_money' } })
  await expect(refused).rejects.toMatchObject({ status: 400, field: 'method' })
})

test('what can be paid with depends on the currency (S10.915)', async () => {
  const person = await app.signIn()
  const options = (currency: string) => person.call(paymentsApi.options, { query: { currency } })
  expect(await options('RUB')).toMatchObject({ isOn: true, methods: ['bank_card', 'sbp'], isPretence: false })
  expect(await options('BYN')).toMatchObject({ isOn: false, methods: [], isPretence: false })
})

const refund = (id: string, amount?: number) =>
  app.owner.call(paymentsApi.refund, { params: { id }, body: { reason: 'Просил', ...(amount && { amount }) } })
const problems = async (id: string) =>
  (await app.owner.call(paymentEventsApi.table, { query: { query: id } })).items.map(({ problem }) => problem)

async function paid() {
  const bought = await buy()
  await app.pay()
  return bought
}

test('a refund that is made at once takes the symbols back (S10.916)', async () => {
  const { person, id } = await paid()
  expect(await refund(id)).toMatchObject({ status: 'refunded' })
  expect((await app.balance(person)).availableTokens).toBe(0)
})

test('a pending refund is asked about until it has succeeded (S10.916)', async () => {
  const { person, id } = await paid()
  shop.faults.refunds = ['pending']
  expect(await refund(id, 5000)).toMatchObject({ status: 'paid' })
  await expect(refund(id, 5000)).rejects.toMatchObject({ status: 409 })
  shop.faults.lost = 1
  shop.endRefund([...shop.refunds.keys()].at(-1) ?? '', 'succeeded')
  await checkRefunds(app.payments, inMs(10 * MINUTE))
  const { order } = await app.owner.call(ordersAdminApi.card, { params: { id } })
  expect(order).toMatchObject({ refundedAmount: 5000, status: 'paid' })
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('a refund that is cancelled later is a problem with a reason (S10.916)', async () => {
  const { person, id } = await paid()
  shop.faults.refunds = ['pending']
  await refund(id)
  shop.endRefund([...shop.refunds.keys()].at(-1) ?? '', 'canceled')
  await checkRefunds(app.payments, inMs(10 * MINUTE))
  expect((await app.balance(person)).availableTokens).toBe(500)
  expect(await problems(id)).toEqual([expect.stringContaining('банк покупателя не ответил вовремя')])
  expect(await refund(id)).toMatchObject({ status: 'refunded' })
})

test.each(['failed', 'silent'] as const)('a refund whose answer %s is made once (S10.916)', async (fault) => {
  const { id } = await paid()
  const before = shop.refunds.size
  shop.faults[fault] = 1
  await expect(refund(id)).rejects.toMatchObject({ status: 503 })
  await checkRefunds(app.payments, inMs(10 * MINUTE))
  const { order } = await app.owner.call(ordersAdminApi.card, { params: { id } })
  expect(order.status).toBe('refunded')
  expect(shop.refunds.size).toBe(before + 1)
})

test('payments and refunds have receipts with their numbers (S10.940)', async () => {
  const { person, id } = await paid()
  await refund(id)
  await checkReceipts(app.payments, inMs(5 * MINUTE))
  const [order] = await app.ordersOf(person)
  expect(order?.receipts).toMatchObject([
    { kind: 'payment', state: 'registered', amount: 35_050, fiscalStorage: '9288000100115785' },
    { kind: 'refund', state: 'registered', amount: 35_050 },
  ])
  expect(order?.receipts[0]?.checkText).toMatch(/^t=\d{8}T\d{4}&s=350.50&fn=9288000100115785&i=\d+&fp=\d+&n=1$/)
})

test('a rejected or late receipt is a problem that is sent again (S10.941)', async () => {
  shop.faults.receipts = ['canceled']
  const { person, id } = await paid()
  await checkReceipts(app.payments, inMs(5 * MINUTE))
  expect(await problems(id)).toEqual([expect.stringContaining('касса его отклонила')])
  const [rejected] = (await app.ordersOf(person))[0]?.receipts ?? []
  expect(rejected?.state).toBe('rejected')
  const repeat = () => app.owner.call(paymentsApi.repeatReceipt, { params: { id: rejected?.id ?? '' } })
  await expect(person.call(paymentsApi.repeatReceipt, { params: { id: 'x' } })).rejects.toMatchObject({ status: 403 })
  expect(await repeat()).toMatchObject({ state: 'registered' })
  expect(await app.db.$count(auditLog, eq(auditLog.action, 'receipt.repeat'))).toBe(1)
  await expect(repeat()).rejects.toMatchObject({ status: 409 })
  const open = await app.owner.call(paymentEventsApi.table, { query: { query: id, state: 'open' } })
  expect(open.total).toBe(0)

  shop.faults.receipts = ['pending']
  const late = await paid()
  const [waiting] = (await app.ordersOf(late.person))[0]?.receipts ?? []
  const tooEarly = app.owner.call(paymentsApi.repeatReceipt, { params: { id: waiting?.id ?? '' } })
  await expect(tooEarly).rejects.toMatchObject({ status: 409 })
  await checkReceipts(app.payments, inMs(13 * HOUR))
  expect(await problems(late.id)).toEqual([expect.stringContaining('до сих пор не зарегистрирован')])
})

test('the owner sees the gateways and can ask them (S10.930, S10.1555)', async () => {
  const states = await app.owner.call(gatewaysApi.list, {})
  expect(states).toMatchObject([
    { name: 'bepaid', isOn: false, missing: [expect.stringContaining('BEPAID_SHOP_ID')] },
    { name: 'yookassa', isOn: true, isTest: true, currencies: ['RUB'], methods: ['bank_card', 'sbp'], missing: [] },
  ])
  expect(states[1]?.notificationUrl).toMatch(/\/api\/yookassa\/webhook$/)
  const check = (name: string) => app.owner.call(gatewaysApi.check, { params: { name } })
  expect(await findGatewayCheck(app.db, 'yookassa')).toBeNull()
  expect(await check('yookassa')).toEqual({ isOk: true, problems: [] })
  expect(await findGatewayCheck(app.db, 'yookassa')).toMatchObject({ isOk: true })
  await expect(check('bepaid')).rejects.toMatchObject({ status: 404 })
  const person = await app.signIn()
  await expect(person.call(gatewaysApi.list, {})).rejects.toMatchObject({ status: 403 })
  expect((await app.owner.call(healthApi.ready, {})).payments).toEqual(states)
  expect((await person.call(healthApi.ready, {})).payments).toBeUndefined()
})

test('a comparison finds payments that are not counted here (S10.931)', async () => {
  const shopHere = app.payments.shops.yookassa
  if (!shopHere) throw new Error('no shop')
  const { person, token } = await buy()
  shop.faults.lost = 1
  shop.pay(token)
  const compare = (apply: boolean) => compareWithYookassa(app.payments, shopHere, { since: inMs(-HOUR), apply })
  const found = (await compare(false)).filter(({ text }) => text.includes(token))
  expect(found).toMatchObject([{ attached: false }])
  expect((await app.balance(person)).availableTokens).toBe(0)
  expect((await compare(true)).filter(({ text }) => text.includes(token))).toMatchObject([{ attached: true }])
  expect((await app.balance(person)).availableTokens).toBe(500)
  expect((await compare(false)).filter(({ text }) => text.includes(token))).toEqual([])
})
