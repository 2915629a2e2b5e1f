import { afterEach, expect, test } from 'vitest'
import { createNetworkCheck } from '#server/lib/networks.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { noFaults } from './fake-yookassa/accounts.ts'
import { startFakeYookassa } from './fake-yookassa/fake-yookassa.ts'
import { GatewayError, isFinalRefusal } from './gateway.ts'
import { createYookassa } from './yookassa.ts'
import { fromMajor, toMajor } from './yookassa-objects.ts'

const fake = await closeAfterTests(
  startFakeYookassa({ port: 0, notificationUrl: '/', send: async () => new Response(null) }),
)
const { shop } = fake
afterEach(() => Object.assign(shop.faults, noFaults()))
const gateway = createYookassa(fake.settings, { busyPausesMs: [5], timeoutMs: 300 })

let made = 0
const order = (change: object = {}) => ({
  ...{ trackingId: `bundle:order-${++made}`, title: 'Пакет', amount: 35_050, currency: 'RUB', method: null },
  ...{ customer: { userId: 'u1', email: 'anna@example.test', ip: '203.0.113.7' }, expiresAt: new Date() },
  ...{ returnUrl: 'https://chat.example.test/profile', notificationUrl: 'https://chat.example.test/' },
  ...change,
})
const failureOf = (request: Promise<unknown>) =>
  request.then(() => null).catch((error: unknown) => error as GatewayError)

test('a payment is created, read and traced by its order (S10.958)', async () => {
  const sold = order({ savesMethod: true })
  const page = await gateway.createCheckout(sold)
  expect(page).toEqual({ token: page.token, redirect_url: `${fake.url}/checkout?id=${page.token}`, qr: null })
  const traces = { trackingId: sold.trackingId, token: null, createdAt: new Date() }
  expect(await gateway.transactionsOf(traces)).toMatchObject([
    { uid: page.token, status: 'untouched', saved_method: null },
  ])
  expect(await gateway.checkout(page.token)).toMatchObject({ status: 'untouched', expired: false, finished: false })
  shop.pay(page.token)
  const paid = { type: 'payment', status: 'successful', amount: 35_050, currency: 'RUB', tracking_id: sold.trackingId }
  const saved_method = { kind: 'bank_card', last_4: '4477', brand: 'MasterCard' }
  expect(await gateway.transaction(page.token)).toMatchObject({ ...paid, test: true, saved_method })
  expect(await gateway.transaction('unknown')).toBeNull()
  expect(await gateway.transactionsOf({ ...traces, trackingId: 'bundle:other', token: page.token })).toEqual([])
})

test('СБП has the text of a QR code instead of a page (S10.958)', async () => {
  const page = await gateway.createCheckout(order({ method: 'sbp' }))
  expect(page).toMatchObject({
    redirect_url: 'https://chat.example.test/profile',
    qr: `${fake.url}/sbp?id=${page.token}`,
  })
  const bound = await gateway.bindMethod({
    kind: 'sbp',
    requestId: 'b1',
    returnUrl: page.redirect_url,
    ip: '203.0.113.7',
  })
  expect(bound.qr).toBe(`${fake.url}/bind?id=${bound.token}`)
  expect(await gateway.boundMethod(bound.token)).toBeNull()
  shop.confirmMethod(bound.token)
  expect(await gateway.boundMethod(bound.token)).toEqual({ token: bound.token, kind: 'sbp', last_4: null, brand: null })
})

test('refunds name their request and are listed by their own time (S10.958)', async () => {
  const { token } = await gateway.createCheckout(order())
  shop.pay(token)
  const payment = shop.payments.get(token)
  if (payment) payment.created_at = '2026-01-01T00:00:00.000Z'
  shop.faults.refunds = ['pending']
  const request = { uid: token, amount: 5000, currency: 'RUB', reason: 'Просил', requestId: 'r1' }
  const refund = await gateway.refund(request)
  expect(refund).toMatchObject({ type: 'refund', status: 'pending', amount: 5000, parent_uid: token, request_id: 'r1' })
  expect(await gateway.refund(request)).toMatchObject({ uid: refund.uid })
  shop.endRefund(refund.uid, 'canceled')
  expect(await gateway.transaction(refund.uid)).toMatchObject({ status: 'failed', message: 'rejected_by_timeout' })
  const listed = await gateway.transactionsSince(new Date(Date.now() - 60_000))
  expect(listed.some(({ uid }) => uid === token)).toBe(false)
  expect(listed.some(({ uid }) => uid === refund.uid)).toBe(true)
})

test('more payments than one page are all listed (S10.958)', async () => {
  const sold = order()
  const { token } = await gateway.createCheckout(sold)
  for (let i = 0; i < 120; i++) shop.createPayment({ ...bodyOf(), metadata: { order: `bundle:more-${i}` } })
  const traces = { trackingId: sold.trackingId, token: null, createdAt: new Date() }
  expect(await gateway.transactionsOf(traces)).toMatchObject([{ uid: token }])
})

const bodyOf = () => ({
  ...{ amount: { value: '1.00', currency: 'RUB' }, capture: true as const, description: 'x' },
  confirmation: { type: 'redirect' as const, return_url: 'https://chat.example.test/' },
})

test.each([
  ['refused', 'refused', true],
  ['busy', 'unreachable', false],
  ['failed', 'unknown', false],
  ['silent', 'unknown', false],
] as const)('a request that is %s fails as %s (S10.958)', async (fault, outcome, isFinal) => {
  shop.faults[fault] = 2
  const error = await failureOf(gateway.createCheckout(order()))
  expect(error).toBeInstanceOf(GatewayError)
  expect(error).toMatchObject({ outcome })
  expect(isFinalRefusal(error)).toBe(isFinal)
})

test('wrong credentials and no connection are no refusals (S10.958)', async () => {
  const wrong = createYookassa({ ...fake.settings, secretKey: 'wrong' })
  const unauthorized = await failureOf(wrong.account())
  expect(unauthorized).toMatchObject({ outcome: 'refused', failure: { status: 401 } })
  expect(isFinalRefusal(unauthorized)).toBe(false)
  const closed = await startFakeYookassa({ port: 0, notificationUrl: '/' })
  await closed.close()
  expect(await failureOf(createYookassa(closed.settings).account())).toMatchObject({ outcome: 'unreachable' })
})

test('sums are exact to the minor unit (S10.958)', () => {
  for (const amount of [1, 10, 99, 100, 35_050, 12_345_678_901]) {
    expect(fromMajor(toMajor(amount, 'RUB'))).toEqual({ amount, currency: 'RUB' })
  }
  expect(toMajor(35_005, 'RUB').value).toBe('350.05')
})

test('senders are recognized in both families and every spelling (S10.911)', () => {
  const isSender = createNetworkCheck(['185.71.76.0/27', '77.75.156.11/32', '2a02:5180::/32'])
  for (const ip of ['185.71.76.31', '77.75.156.11', '2a02:5180:0:1::7', '2A02:5180::1', '::ffff:185.71.76.1'])
    expect(isSender(ip), ip).toBe(true)
  for (const ip of ['185.71.76.32', '77.75.156.12', '2a02:5181::1', '::1', '', 'unknown', '185.71.76.1:443', '_hidden'])
    expect(isSender(ip), ip).toBe(false)
})
