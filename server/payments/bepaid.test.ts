import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { createBepaid } from './bepaid.ts'
import { checkAccess } from './shop.ts'

interface ReceivedRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** A gateway that returns the given responses one by one and records the requests. */
let answers: { status: number; body: unknown }[] = []
let seen: ReceivedRequest[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method, url, headers } = request
  seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
  const answer = answers.shift()
  if (!answer) return
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const settings = {
  shopId: '361',
  secretKey: 'key',
  publicKey: null,
  apiUrl: url,
  checkoutUrl: url,
  gatewayUrl: url,
  methods: ['credit_card'],
  test: true,
}
const gateway = createBepaid(settings, { timeoutMs: 300, busyPausesMs: [5, 5] })
afterAll(
  () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    }),
)
afterEach(() => {
  answers = []
  seen = []
})

const subscription = { id: 'sbs_1', state: 'active', plan: { currency: 'BYN', plan: { amount: 990 } } }
const order = {
  trackingId: 'plan:1',
  title: 'Тариф «Про»',
  currency: 'BYN',
  customer: { userId: 'u1', email: 'anna@example.test', ip: '203.0.113.7' },
  returnUrl: 'https://chat.example.test/profile?payment=1',
  notificationUrl: 'https://chat.example.test/api/bepaid/webhook',
}

test('a subscription is created with an inline plan, cards only, in Russian (S10.48, S10.197)', async () => {
  const created = { id: 'sbs_1', token: 'abc', redirect_url: 'https://checkout.example.test/v2/checkout?token=abc' }
  answers = [{ status: 201, body: created }]
  expect(await gateway.createSubscription({ ...order, price: 2990, intervalDays: 30, firstPrice: null })).toEqual(
    created,
  )
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/subscriptions' })
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Basic MzYxOmtleQ==', 'content-type': 'application/json' })
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    plan: {
      shop_id: '361',
      test: true,
      title: 'Тариф «Про»',
      currency: 'BYN',
      infinite: true,
      plan: { amount: 2990, interval: 30, interval_unit: 'day' },
    },
    customer: { email: 'anna@example.test', ip: '203.0.113.7', external_id: 'u1' },
    tracking_id: 'plan:1',
    return_url: order.returnUrl,
    notification_url: order.notificationUrl,
    settings: { language: 'ru', payment_method: { types: ['credit_card'] } },
  })
})

test('a lower first price is a trial of a single period', async () => {
  answers = [{ status: 201, body: { id: 'sbs_1', token: 'abc', redirect_url: 'https://checkout.example.test/' } }]
  await gateway.createSubscription({ ...order, price: 2990, intervalDays: 30, firstPrice: 1495 })
  expect(JSON.parse(seen[0]?.body ?? '').plan).toMatchObject({
    plan: { amount: 2990, interval: 30 },
    trial: { amount: 1495, interval: 30, interval_unit: 'day', as_first_payment: false },
  })
})

test('a GET has no content type, and a checkout sends its version', async () => {
  answers = [{ status: 200, body: subscription }]
  expect(await gateway.subscription('sbs_1')).toMatchObject({ id: 'sbs_1', state: 'active' })
  expect(seen[0]?.headers['content-type']).toBeUndefined()
  answers = [{ status: 201, body: { checkout: { token: 'abc', redirect_url: 'https://checkout.example.test/' } } }]
  await gateway.createCheckout({ ...order, amount: 350, expiresAt: new Date(0) })
  expect(seen[1]).toMatchObject({ url: '/ctp/api/checkouts', headers: { 'x-api-version': '2' } })
})

test.each([
  [['credit_card'], { types: ['credit_card'] }],
  [
    ['credit_card', 'erip'],
    { types: ['credit_card', 'erip'], erip: expect.objectContaining({ service_info: [order.title] }) },
  ],
  [null, { erip: expect.anything() }],
])('a bundle is paid by %j (S10.197)', async (methods, expected) => {
  answers = [{ status: 201, body: { checkout: { token: 'abc', redirect_url: 'https://checkout.example.test/' } } }]
  await createBepaid({ ...settings, methods }).createCheckout({ ...order, amount: 350, expiresAt: new Date(0) })
  const { payment_method, settings: urls } = JSON.parse(seen[0]?.body ?? '').checkout
  expect(payment_method).toEqual(expected)
  if (payment_method.erip) expect(payment_method.erip.account_number).toMatch(/^\d{1,12}$/)
  expect(urls.cancel_url).toContain('status=canceled')
})

test('a known card is charged for another plan without a page', async () => {
  answers = [{ status: 201, body: subscription }]
  const { trackingId, title, currency, notificationUrl } = order
  const plan = { trackingId, title, currency, notificationUrl, price: 990, intervalDays: 30 }
  await gateway.subscribeWithCard({ ...plan, cardToken: 'a card', customerId: 'cst_1' })
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
    card: { token: 'a card' },
    customer: { id: 'cst_1' },
    plan: { plan: { amount: 990, interval: 30, interval_unit: 'day' } },
    tracking_id: trackingId,
  })
})

test('an object unknown to the gateway is null', async () => {
  answers = [
    { status: 404, body: { message: 'Not found' } },
    { status: 422, body: { message: 'Record not found', errors: {} } },
    {
      status: 200,
      body: [{ transaction: { uid: 'x', type: 'payment', status: 'successful', amount: 1, currency: 'BYN' } }],
    },
  ]
  expect(await gateway.subscription('sbs_none')).toBeNull()
  expect(await gateway.checkout('none')).toBeNull()
  expect(await gateway.transactionsOf({ trackingId: 'plan:1', token: null, createdAt: new Date() })).toMatchObject([
    { uid: 'x' },
  ])
})

test('only the gateway’s own «not found» counts as missing', async () => {
  answers = [
    { status: 404, body: 'a page of a proxy' },
    { status: 200, body: { ...subscription, plan: { ...subscription.plan, title: 'Record not found' } } },
    { status: 422, body: { message: 'Plan is wrong: record not found in the list' } },
    { status: 502, body: { message: 'Record not found' } },
    { status: 200, body: { message: 'Record not found' } },
    { status: 404, body: { response: { message: 'Record not found', errors: {} } } },
  ]
  await expect(gateway.subscription('sbs_1')).rejects.toMatchObject({ outcome: 'refused', failure: { status: 404 } })
  expect(await gateway.subscription('sbs_1')).toMatchObject({ id: 'sbs_1' })
  await expect(gateway.subscription('sbs_1')).rejects.toMatchObject({ outcome: 'refused' })
  await expect(gateway.subscription('sbs_1')).rejects.toMatchObject({ outcome: 'unknown' })
  expect(await gateway.checkout('abc')).toBeNull()
  expect(await gateway.transaction('x')).toBeNull()
})

test('subscriptions of the shop are listed page by page', async () => {
  answers = [{ status: 200, body: { subscriptions: [subscription] } }]
  expect(await gateway.subscriptionsPage(2)).toMatchObject([{ id: 'sbs_1' }])
  expect(seen[0]?.url).toBe('/subscriptions?shop_id=361&per_page=100&page=2')
})

test('the start checks the credentials and warns when they are wrong', async () => {
  const warnings: unknown[][] = []
  const log = openLog('silent')
  log.warn = ((...line: unknown[]) => warnings.push(line)) as typeof log.warn
  const warningsFor = async (answer: (typeof answers)[number]) => {
    answers = [answer]
    await checkAccess(gateway, log)
    return warnings.splice(0).map((line) => line.at(-1))
  }
  expect(await warningsFor({ status: 200, body: { subscriptions: [] } })).toEqual([])
  expect(await warningsFor({ status: 401, body: { message: 'Unauthorized' } })).toEqual([
    expect.stringContaining('BEPAID_SHOP_ID'),
  ])
  expect(await warningsFor({ status: 404, body: 'nothing here' })).toEqual([expect.stringContaining('BEPAID_API_URL')])
  expect(await warningsFor({ status: 503, body: {} })).toEqual([expect.stringContaining('did not answer')])
})

test('a busy gateway is asked three times', async () => {
  const busy = { status: 429, body: {} }
  answers = [busy, busy, { status: 200, body: subscription }]
  expect(await gateway.subscription('sbs_1')).toMatchObject({ id: 'sbs_1' })
  answers = [busy, busy, busy]
  await expect(gateway.subscription('sbs_1')).rejects.toMatchObject({ status: 503, outcome: 'refused' })
  expect(seen).toHaveLength(6)
})

test('a 4xx is refused; timeouts and 5xx leave the outcome unknown', async () => {
  const refund = () => gateway.refund({ uid: 'x', amount: 1, currency: 'BYN', reason: 'why', requestId: 'order-1' })
  answers = [{ status: 422, body: { message: 'Amount is wrong' } }]
  await expect(refund()).rejects.toMatchObject({ status: 503, code: 'unavailable', outcome: 'refused' })
  expect(seen[0]?.headers.requestid).toBe('order-1')
  answers = [{ status: 502, body: {} }]
  await expect(refund()).rejects.toMatchObject({ outcome: 'unknown' })
  answers = [{ status: 200, body: { nonsense: true } }]
  await expect(refund()).rejects.toMatchObject({ outcome: 'unknown' })
  await expect(refund()).rejects.toMatchObject({ outcome: 'unknown' })
})

test('an unreachable gateway has certainly done nothing', async () => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const { port } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  const away = createBepaid({ ...settings, apiUrl: `http://127.0.0.1:${port}` }, { timeoutMs: 300 })
  await expect(away.subscription('sbs_1')).rejects.toMatchObject({ status: 503, outcome: 'unreachable' })
})
