import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { ledger, orders, paymentEvents } from '#server/db/schema.ts'
import { GatewayTransaction } from '#server/payments/gateway.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createGate } from '#server/testing/gate.ts'
import { applyReversal } from './reversals.ts'
import { type PaidApp, startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()
const live = await startPaidApp({ test: false })

/** An unpaid order of a bundle, and the webhook body that would pay it. */
async function unpaid(shop: PaidApp, person: SignedIn) {
  const bundle = await shop.aBundle({ symbols: 500, price: 350 })
  await person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await shop.ordersOf(person)
  const uid = randomUUID()
  const transaction = {
    uid,
    type: 'payment',
    status: 'successful',
    amount: 350,
    currency: 'BYN',
    tracking_id: `bundle:${order?.id}`,
    test: false,
    paid_at: new Date().toISOString(),
  }
  const refund = { ...transaction, uid: randomUUID(), type: 'refund', parent_uid: uid }
  return { order: { id: order?.id ?? '' }, transaction, refund }
}

const eventOf = async (shop: PaidApp, uid: string) =>
  (
    await shop.db
      .select()
      .from(paymentEvents)
      .where(like(paymentEvents.dedupeKey, `%${uid}%`))
  )[0]

/** How many statements in this database wait for what another holds. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await app.database.execute(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

test('a webhook needs the gateway’s signature and the shop credentials (S10.52)', async () => {
  const anna = await app.signIn()
  const { transaction } = await unpaid(app, anna)
  const content = { transaction }
  const forged = JSON.stringify({ transaction: { ...transaction, amount: 1 } })
  const stranger = `Basic ${Buffer.from('361:another secret').toString('base64')}`
  const changes: Parameters<PaidApp['notify']>[1][] = [
    { body: forged },
    { body: `${JSON.stringify(content)} ` },
    { headers: { 'content-signature': null } },
    { headers: { 'content-signature': 'bm90IGEgc2lnbmF0dXJl' } },
    { headers: { 'content-signature': '%%%' } },
    { headers: { authorization: stranger } },
  ]
  for (const change of changes) {
    const response = await app.notify(content, change)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ status: 401, code: 'unauthorized' })
  }
  expect(await eventOf(app, transaction.uid)).toBeUndefined()
  expect((await app.balance(anna)).availableTokens).toBe(0)
  expect((await app.notify(content)).status).toBe(200)
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('a webhook with a foreign origin needs only the signature', async () => {
  const { transaction } = await unpaid(app, await app.signIn())
  const response = await app.notify({ transaction }, { headers: { origin: 'https://bepaid.by' } })
  expect(response.status).toBe(200)
})

test('a too large or unreadable webhook is rejected', async () => {
  const body = JSON.stringify({ filler: 'я'.repeat(200_000) })
  expect((await app.notify({}, { body })).status).toBe(413)
  const headers = app.fakeBepaid.webhookSender.headersOf('not json')
  const unreadable = await app.app.request('/api/bepaid/webhook', { method: 'POST', headers, body: 'not json' })
  expect(unreadable.status).toBe(400)
})

test.each([
  ['a smaller sum', { amount: 349 }],
  ['a larger sum', { amount: 35_000 }],
  ['another currency', { currency: 'RUB' }],
])('%s than ordered is stored, not credited; the right payment still counts (S10.53)', async (_, change) => {
  const anna = await app.signIn()
  const { transaction } = await unpaid(app, anna)
  const response = await app.notify({ transaction: { ...transaction, ...change } })
  expect(response.status).toBe(400)
  expect(await eventOf(app, transaction.uid)).toMatchObject({
    processedAt: null,
    problem: expect.stringContaining('сумма'),
  })
  expect((await app.balance(anna)).availableTokens).toBe(0)
  expect((await app.notify({ transaction })).status).toBe(200)
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('a live shop rejects test payments and accepts real payments (S10.53)', async () => {
  const anna = await live.signIn()
  const { transaction } = await unpaid(live, anna)
  expect((await live.notify({ transaction: { ...transaction, test: true } })).status).toBe(400)
  expect((await live.balance(anna)).availableTokens).toBe(0)
  expect(await eventOf(live, transaction.uid)).toMatchObject({ problem: expect.stringContaining('тестовый') })
  expect((await live.notify({ transaction })).status).toBe(200)
  expect((await live.balance(anna)).availableTokens).toBe(500)
})

test('a test subscription is rejected by a live shop (S10.53)', async () => {
  const anna = await live.signIn()
  const { id } = await live.aPlan()
  await live.subscribe(anna, id)
  expect(await live.balance(anna)).toMatchObject({ availableTokens: 0, recurrent: false })
  expect(await live.ordersOf(anna)).toMatchObject([{ status: 'pending' }])
})

test('fifty mixed deliveries of a payment and its refund count once each (S10.54)', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => app.signIn()))
  const cases = await Promise.all(people.map((person) => unpaid(app, person)))
  const published = cases.flatMap(({ transaction, refund }) =>
    Array.from({ length: 50 }, (_, i) => ({ transaction: i % 2 ? transaction : refund })),
  )
  const shuffled = published.map((content) => ({ content, at: Math.random() })).sort((a, b) => a.at - b.at)
  const statuses = await Promise.all(shuffled.map(async ({ content }) => (await app.notify(content)).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  for (const [i, person] of people.entries()) {
    expect((await app.balance(person)).availableTokens).toBe(0)
    const entries = await app.db.select().from(ledger).where(eq(ledger.userId, person.user.id)).orderBy(ledger.id)
    expect(entries.map(({ kind, symbols, amount }) => [kind, symbols, amount])).toEqual([
      ['bundle', 500, 350],
      ['take_back', -500, -350],
    ])
    expect(await app.ordersOf(person)).toMatchObject([{ id: cases[i]?.order.id, status: 'refunded' }])
  }
})

test('a payment that arrives during its refund ends as refunded', async () => {
  const anna = await app.signIn()
  const { transaction, refund } = await unpaid(app, anna)
  const reversal = GatewayTransaction.parse(refund)
  const [written, released] = [createGate(), createGate()]
  const writing = app.db.transaction(async (tx) => {
    await applyReversal(tx, app.payments, reversal, 'bepaid')
    written.open()
    await released.opened
  })
  await written.opened
  const notifying = app.notify({ transaction })
  // The embedded database has one connection: there the payment waits for the whole transaction anyway.
  if (app.url) await expect.poll(waitingForLocks, { timeout: 10_000 }).toBeGreaterThan(0)
  released.open()
  expect((await notifying).status).toBe(200)
  await writing
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'refunded' }])
})

test('two simultaneous payments for an order are both credited', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => app.signIn()))
  const cases = await Promise.all(people.map((person) => unpaid(app, person)))
  const bodies = cases.flatMap(({ transaction }) => [
    { transaction },
    { transaction: { ...transaction, uid: randomUUID() } },
  ])
  const answers = await Promise.all(bodies.map((content) => app.notify(content)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const person of people) expect((await app.balance(person)).availableTokens).toBe(1000)
})

test('a refund before its payment takes the symbols when payment comes', async () => {
  const anna = await app.signIn()
  const { transaction, refund } = await unpaid(app, anna)
  expect((await app.notify({ transaction: refund })).status).toBe(200)
  expect(await eventOf(app, refund.uid)).toMatchObject({ orphan: true })
  await app.notify({ transaction })
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'refunded' }])
  expect((await app.balance(anna)).availableTokens).toBe(0)
})

test('a partial refund leaves the symbols, the rest takes them', async () => {
  const anna = await app.signIn()
  const { transaction, refund, order } = await unpaid(app, anna)
  await app.notify({ transaction })
  await app.notify({ transaction: { ...refund, amount: 100 } })
  const [row] = await app.db.select().from(orders).where(eq(orders.id, order.id))
  expect(row).toMatchObject({ status: 'paid', refundedAmount: 100 })
  expect((await app.balance(anna)).availableTokens).toBe(500)
  await app.notify({ transaction: { ...refund, uid: randomUUID(), amount: 250 } })
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'refunded' }])
  expect((await app.balance(anna)).availableTokens).toBe(0)
})

test('a bank’s chargeback takes only what is left of that payment (S10.56)', async () => {
  const anna = await app.signIn()
  const other = await app.aBundle({ symbols: 700 })
  await app.buyBundle(anna, other.id)
  const { transaction, refund } = await unpaid(app, anna)
  await app.notify({ transaction })
  await app.notify({ transaction: { ...refund, type: 'chargeback', reason: 'fraud' } })
  expect((await app.balance(anna)).availableTokens).toBe(700)
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['charged_back', 'paid'])
})

test('an event of an unknown order is stored and answered 200', async () => {
  const uid = randomUUID()
  const stranger = {
    uid,
    type: 'payment',
    status: 'successful',
    amount: 1,
    currency: 'BYN',
    tracking_id: 'bundle:no-such',
  }
  expect((await app.notify({ transaction: stranger })).status).toBe(200)
  expect(await eventOf(app, uid)).toMatchObject({ orphan: true, processedAt: expect.any(Date) })
  expect((await app.notify({ something: uid })).status).toBe(200)
})

test('a repeat is counted and changes nothing', async () => {
  const anna = await app.signIn()
  const { transaction } = await unpaid(app, anna)
  for (let i = 0; i < 3; i++) expect((await app.notify({ transaction })).status).toBe(200)
  expect(await eventOf(app, transaction.uid)).toMatchObject({ deliveries: 3 })
  expect((await app.emailsTo(anna)).map(({ subject }) => subject)).toEqual(['Оплата прошла: Пакет'])
})

test('a closed payment page ends its order, but late payments count', async () => {
  const anna = await app.signIn()
  const { transaction } = await unpaid(app, anna)
  await app.control('expire')
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'expired' }])
  await app.notify({ transaction })
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'paid' }])
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('a refund takes only the unspent symbols (S10.56)', async () => {
  const anna = await app.signIn()
  const { transaction, refund } = await unpaid(app, anna)
  await app.notify({ transaction })
  await anna.fetch('/api/profile/balance', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 120, modelId: 'demo' }),
  })
  expect((await app.balance(anna)).availableTokens).toBe(380)
  await app.notify({ transaction: refund })
  expect((await app.balance(anna)).availableTokens).toBe(0)
  const entries = await app.db.select().from(ledger).where(eq(ledger.userId, anna.user.id)).orderBy(ledger.id)
  expect(entries.at(-1)).toMatchObject({ kind: 'take_back', symbols: -380 })
})
