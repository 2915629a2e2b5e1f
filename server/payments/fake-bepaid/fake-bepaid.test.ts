import { createPublicKey, verify } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { createBepaid } from '../bepaid.ts'
import { startFakeBepaid } from './fake-bepaid.ts'

interface Delivery {
  body: string
  headers: Headers
}

let delivered: Delivery[] = []
const fakeBepaid = await closeAfterTests(
  startFakeBepaid({
    port: 0,
    shopId: '1',
    secretKey: 'key',
    retryPausesMs: [1],
    send: async (_url, init) => {
      delivered.push({ body: String(init.body), headers: new Headers(init.headers) })
      return new Response(null, { status: delivered.length === 1 ? 500 : 200 })
    },
  }),
)
beforeEach(() => {
  delivered = []
})

const order = {
  trackingId: 'bundle:1',
  title: '<b>Пакет</b>',
  amount: 12_345,
  currency: 'BYN',
  expiresAt: new Date(Date.now() + 3_600_000),
  customer: { userId: 'u1', email: 'anna@example.test', ip: '127.0.0.1' },
  returnUrl: 'https://chat.example.test/profile?payment=1',
  notificationUrl: 'https://chat.example.test/api/bepaid/webhook',
}

test('requests without the shop credentials are rejected (S10.80)', async () => {
  for (const path of [
    '/subscriptions/x',
    '/ctp/api/checkouts/x',
    '/transactions/x',
    '/v2/transactions/tracking_id/x',
  ]) {
    expect((await fetch(fakeBepaid.url + path)).status).toBe(401)
  }
})

test('the payment page says that no money moves, and returns the outcome (S10.80)', async () => {
  const { redirect_url, token } = await createBepaid(fakeBepaid.settings).createCheckout(order)
  const page = await (await fetch(redirect_url)).text()
  for (const words of ['деньги не списываются', '&lt;b&gt;Пакет', '123,45', 'Оплатить', 'Отклонить', 'Отменить']) {
    expect(page).toContain(words)
  }
  const pay = async () =>
    fetch(`${fakeBepaid.url}/v2/checkout`, {
      method: 'POST',
      body: new URLSearchParams({ token, action: 'pay' }),
      redirect: 'manual',
    })
  const back = new URL((await pay()).headers.get('location') ?? '')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    payment: '1',
    token,
    status: 'successful',
    uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect((await pay()).status).toBe(404)
})

test('webhooks are signed with the published key and repeated until accepted (S10.80)', async () => {
  await createBepaid(fakeBepaid.settings).createCheckout(order)
  const [page] = [...fakeBepaid.accounts.pages.values()].slice(-1)
  if (!page) throw new Error('no page')
  fakeBepaid.accounts.pay(page, 'successful')
  await fakeBepaid.webhookSender.idle()
  expect(delivered).toHaveLength(2)
  const shownKey = await (await fetch(`${fakeBepaid.url}/__fake/public-key`)).text()
  const key = createPublicKey({ key: Buffer.from(shownKey, 'base64'), format: 'der', type: 'spki' })
  for (const { body, headers } of delivered) {
    const signature = Buffer.from(headers.get('content-signature') ?? '', 'base64')
    expect(verify('sha256', Buffer.from(body), key, signature)).toBe(true)
  }
})

test('the fake gateway rejects what the real gateway would reject', async () => {
  const post = (path: string, body: object) =>
    fetch(fakeBepaid.url + path, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('1:key').toString('base64')}`, 'x-api-version': '2' },
      body: JSON.stringify(body),
    })
  expect((await post('/subscriptions', { plan: {} })).status).toBe(422)
  expect((await post('/ctp/api/checkouts', { checkout: {} })).status).toBe(422)
  expect((await post('/subscriptions/sbs_none/cancel', { cancel_reason: 'why' })).status).toBe(404)
})
