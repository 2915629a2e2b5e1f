import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { auditLog, paymentEvents } from '#server/db/schema.ts'
import type { GatewayTransaction } from '#server/payments/gateway.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { startPaidApp } from './testing/paid-app.ts'

/** The transactions that the fake gateway returns when asked. */
const truth = new Map<string, GatewayTransaction>()
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    transaction: async (uid) => truth.get(uid) ?? (await real.transaction(uid)),
  }),
})

async function anOrder(person: SignedIn, price = 350) {
  const bundle = await app.aBundle({ symbols: 500, price })
  await person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await app.ordersOf(person)
  return order?.id ?? ''
}

const payment = (trackingId: string, change: object = {}) => ({
  uid: randomUUID(),
  type: 'payment',
  status: 'successful',
  amount: 350,
  currency: 'BYN',
  tracking_id: trackingId,
  test: false,
  paid_at: new Date().toISOString(),
  customer: { email: 'payer@example.test', ip: '203.0.113.9' },
  credit_card: { last_4: '1006', holder: 'IVAN' },
  ...change,
})

/** Sends a webhook that cannot be applied; returns its id in the list. */
async function comes(transaction: ReturnType<typeof payment>) {
  await app.notify({ transaction })
  const { items } = await list({ query: transaction.uid, state: 'all' })
  return items[0]?.id ?? ''
}

const list = (query: Record<string, unknown> = {}) => app.owner.call(paymentEventsApi.table, { query })
const card = (id: string) => app.owner.call(paymentEventsApi.get, { params: { id } })
const retry = (id: string) => app.owner.call(paymentEventsApi.retry, { params: { id } })
const attach = (id: string, orderId: string) =>
  app.owner.call(paymentEventsApi.attach, { params: { id }, body: { orderId } })
const actions = async (id: string) =>
  (await app.db.select().from(auditLog).where(eq(auditLog.target, id)).orderBy(auditLog.id)).map(({ action }) => action)

test('problem events are listed with reasons, processed events only with state=all', async () => {
  const anna = await app.signIn()
  const orderId = await anOrder(anna)
  const fine = payment(`bundle:${orderId}`)
  const wrong = payment(`bundle:${await anOrder(anna)}`, { amount: 1 })
  const stray = payment('bundle:no-such-order')
  const [fineId, wrongId, strayId] = [await comes(fine), await comes(wrong), await comes(stray)]
  await app.notify({ transaction: stray })
  const open = (await list({ size: 200 })).items
  expect(open.map(({ id }) => id)).not.toContain(fineId)
  expect(open.find(({ id }) => id === wrongId)).toMatchObject({
    kind: 'payment',
    state: 'refused',
    problem: 'Платёж не принят: сумма 1 BYN вместо 350 BYN',
    amount: 1,
  })
  expect(open.find(({ id }) => id === strayId)).toMatchObject({
    state: 'orphan',
    trackingId: 'bundle:no-such-order',
    payer: 'p•••@example.test',
    deliveries: 2,
  })
  expect((await list({ state: 'all', query: orderId })).items).toMatchObject([{ id: fineId, state: 'taken' }])
  expect((await list({ state: 'all', query: 'PAYER@example.test', size: 200 })).total).toBeGreaterThanOrEqual(3)
  const file = await (await app.owner.fetch(`/api/payment-events/csv?state=all&query=${stray.uid}`)).text()
  expect(file.trimEnd().split('\r\n').slice(1)).toEqual([
    expect.stringContaining(`;3,5;BYN;p•••@example.test;${stray.uid};`),
  ])
  const shown = await card(fineId)
  expect(shown).toMatchObject({ orders: [{ id: orderId, status: 'paid' }], canRetry: false, fitting: [] })
  expect(shown.body).toMatchObject({ transaction: { credit_card: { last_4: '1006', holder: '•••' } } })
})

test('an orphan event is processed again when its order exists, once', async () => {
  const anna = await app.signIn()
  const orderId = await anOrder(anna)
  const paid = payment(`bundle:${orderId}`)
  const refund = { ...payment(`bundle:${orderId}`), type: 'refund', parent_uid: paid.uid }
  const refundId = await comes(refund)
  expect(await card(refundId)).toMatchObject({ state: 'orphan', canRetry: true })
  await app.notify({ transaction: paid })
  expect((await app.balance(anna)).availableTokens).toBe(0)
  expect(await retry(refundId)).toMatchObject({ state: 'taken', orders: [{ id: orderId, status: 'refunded' }] })
  await expect(retry(refundId)).rejects.toMatchObject({ status: 409 })
  expect(await actions(refundId)).toEqual(['payment_event.retry'])
})

test('a rejected payment is asked about again, and the gateway’s answer counts', async () => {
  const anna = await app.signIn()
  const orderId = await anOrder(anna)
  const wrong = payment(`bundle:${orderId}`, { amount: 349 })
  const id = await comes(wrong)
  expect(await retry(id)).toMatchObject({ state: 'refused', problem: expect.stringContaining('349') })
  truth.set(wrong.uid, { ...wrong, amount: 350, paid_at: new Date(), credit_card: null } as GatewayTransaction)
  expect(await retry(id)).toMatchObject({ state: 'taken', problem: null })
  expect((await app.balance(anna)).availableTokens).toBe(500)
  expect(await actions(id)).toEqual(['payment_event.retry', 'payment_event.retry'])
})

test('a payment without an order fits only an order of that amount', async () => {
  const anna = await app.signIn()
  const [dear, orderId] = [await anOrder(anna, 900), await anOrder(anna, 350)]
  const stray = payment('made by hand')
  const id = await comes(stray)
  expect((await card(id)).fitting[0]).toMatchObject({ id: orderId, email: anna.user.email, amount: 350 })
  expect((await card(id)).fitting.map((order) => order.id)).not.toContain(dear)
  await expect(attach(id, dear)).rejects.toMatchObject({ status: 400 })
  await expect(attach(id, 'nothing')).rejects.toMatchObject({ status: 404 })
  const tries = await Promise.allSettled([attach(id, orderId), attach(id, orderId), attach(id, orderId)])
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await app.balance(anna)).availableTokens).toBe(500)
  expect(await card(id)).toMatchObject({ state: 'taken', orders: [{ id: orderId, status: 'paid' }], fitting: [] })
  expect(await actions(id)).toEqual(['payment_event.attach'])
})

test('neither a paid order nor a declined payment can be attached', async () => {
  const anna = await app.signIn()
  const orderId = await anOrder(anna)
  await app.notify({ transaction: payment(`bundle:${orderId}`) })
  const stray = payment('made by hand')
  const id = await comes(stray)
  await expect(attach(id, orderId)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('оплачен') })
  truth.set(stray.uid, {
    ...stray,
    status: 'failed',
    paid_at: null,
    credit_card: null,
  } as unknown as GatewayTransaction)
  await expect(attach(id, await anOrder(anna))).rejects.toMatchObject({ status: 409 })
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('an event is resolved with a note, and may be reopened', async () => {
  const id = await comes(payment('nothing of ours'))
  const resolve = (note: string) => app.owner.call(paymentEventsApi.resolve, { params: { id }, body: { note } })
  await expect(resolve('  ')).rejects.toMatchObject({ status: 400, field: 'note' })
  expect(await resolve('Вернули деньги в кабинете bePaid')).toMatchObject({
    state: 'resolved',
    resolution: { note: 'Вернули деньги в кабинете bePaid', by: 'owner@example.test' },
  })
  expect((await list({ state: 'open', size: 200 })).items.map((event) => event.id)).not.toContain(id)
  expect((await list({ state: 'resolved' })).items.map((event) => event.id)).toContain(id)
  expect(await app.owner.call(paymentEventsApi.reopen, { params: { id } })).toMatchObject({ state: 'orphan' })
  expect(await actions(id)).toEqual(['payment_event.resolve', 'payment_event.reopen'])
})

test('an unreadable event stays for the administrator', async () => {
  await app.notify({ hello: 'there', secret: 'x' })
  const { items } = await list({ size: 200 })
  const unknown = items.find(({ kind }) => kind === 'unknown')
  expect(await card(unknown?.id ?? '')).toMatchObject({ canRetry: false, body: { hello: 'there', secret: '•••' } })
})

test('events received but never processed are listed too', async () => {
  const id = randomUUID()
  const body = { transaction: payment('bundle:lost') }
  await app.db.insert(paymentEvents).values({ id, dedupeKey: id, body, refs: [] })
  expect((await list({ size: 200 })).items.find((event) => event.id === id)?.state).toBe('waiting')
  expect(await retry(id)).toMatchObject({ state: 'orphan' })
  const own = and(eq(paymentEvents.id, id), eq(paymentEvents.orphan, true))
  expect(await app.db.$count(paymentEvents, own)).toBe(1)
})

test('only an administrator reads and changes events', async () => {
  const anna = await app.signIn()
  const id = await comes(payment('not yours'))
  expect((await anna.fetch('/api/payment-events')).status).toBe(403)
  expect((await anna.fetch('/api/payment-events/csv')).status).toBe(403)
  expect((await anna.fetch(`/api/payment-events/${id}`)).status).toBe(403)
  for (const action of ['retry', 'reopen'])
    expect((await anna.post(`/api/payment-events/${id}/${action}`, {})).status).toBe(403)
  await expect(card('nothing')).rejects.toMatchObject({ status: 404 })
})
