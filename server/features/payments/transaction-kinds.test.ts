import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { orders, paymentEvents, subscriptions, users } from '#server/db/schema.ts'
import { healPayments } from './heal.ts'
import { type PaidWorld, startPaidWorld } from './testing/paid-world.ts'

let world: PaidWorld
beforeAll(async () => {
  world = await startPaidWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  world.standIn.books.naming.charge = 'payment'
  await world.expectCleanBooks()
})

const openEvents = async (query: string) => (await world.owner.call(paymentEventsApi.table, { query: { query } })).items
const lastPayment = () => {
  const [last] = [...world.standIn.books.transactions.values()].slice(-1)
  if (!last) throw new Error('nothing was paid')
  return last.transaction
}

test('a charge that the gateway calls «charge» counts, the first and the renewal', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  world.standIn.books.naming.charge = 'charge'
  const id = await world.subscribe(anna, plan.id)
  await world.control('renew', { id })
  expect((await world.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'paid'],
    ['plan', 'paid'],
  ])
  expect(await world.balance(anna)).toMatchObject({ availableTokens: 2000, recurrent: true })
})

test('a kind of operation that nobody knows is refused aloud, changes nothing, and can be judged by hand', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  world.standIn.books.naming.charge = 'mystery'
  await world.subscribe(anna, plan.id)
  expect(await world.ordersOf(anna)).toMatchObject([{ status: 'pending' }])
  expect(await world.balance(anna)).toMatchObject({ availableTokens: 0, recurrent: false })
  const { uid } = lastPayment()
  expect(await openEvents(uid)).toMatchObject([{ state: 'refused', problem: expect.stringContaining('«mystery»') }])
  await world.notify({ transaction: lastPayment() })
  const event = (await openEvents(uid)).find(({ kind }) => kind === 'unknown')
  const [order] = await world.ordersOf(anna)
  await world.owner.call(paymentEventsApi.attach, {
    params: { id: event?.id ?? '' },
    body: { orderId: order?.id ?? '' },
  })
  expect(await world.ordersOf(anna)).toMatchObject([{ status: 'paid' }])
  await world.owner.call(paymentsApi.check, { params: { id: order?.id ?? '' } })
  expect(await world.balance(anna)).toMatchObject({ availableTokens: 1000, recurrent: true })
})

test('what is refused when asked about is shown to the administrator as what is refused when sent', async () => {
  const anna = await world.signIn()
  const bundle = await world.aBundle()
  await world.control('lose-webhook')
  const uid = await world.buyBundle(anna, bundle.id)
  lastPayment().type = 'mystery'
  await healPayments(world.payments, new Date(Date.now() + 6 * 60_000))
  expect(await openEvents(uid)).toMatchObject([{ state: 'refused', problem: expect.stringContaining('«mystery»') }])
  expect((await world.balance(anna)).availableTokens).toBe(0)
})

test.each(['authorization', 'void', 'credit', 'tokenization'])('«%s» is no payment, and is shown', async (type) => {
  const anna = await world.signIn()
  const bundle = await world.aBundle()
  await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await world.ordersOf(anna)
  const transaction = { uid: randomUUID(), type, status: 'successful', amount: 350, currency: 'BYN' }
  await world.notify({ transaction: { ...transaction, tracking_id: `bundle:${order?.id}` } })
  expect(await openEvents(transaction.uid)).toMatchObject([{ state: 'refused' }])
  expect(await world.ordersOf(anna)).toMatchObject([{ status: 'pending' }])
})

test('a card declined before another one paid is no failed renewal, whenever it becomes known', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  const paid = lastPayment()
  const before = new Date(Date.parse(paid.created_at) - 60_000).toISOString()
  const declined = { ...paid, uid: randomUUID(), status: 'failed' as const, created_at: before, paid_at: null }
  world.standIn.books.transactions.set(declined.uid, { transaction: declined, notify: '' })
  const [order] = await world.ordersOf(anna)
  await world.owner.call(paymentsApi.check, { params: { id: order?.id ?? '' } })
  await world.notify({ transaction: declined })
  expect((await world.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([['plan', 'paid']])
  await world.control('fail-renewal', { id })
  expect((await world.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'failed'],
    ['plan', 'paid'],
  ])
})

test('a renewal charged after the account was deleted is told to the owner', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  await world.db.delete(users).where(eq(users.id, anna.user.id))
  await world.control('renew', { id })
  const { uid } = lastPayment()
  expect(await openEvents(uid)).toMatchObject([
    { kind: 'payment', amount: 990, state: 'refused', problem: expect.stringContaining('аккаунт покупателя удалён') },
  ])
  const [order] = await world.db.select().from(orders).where(eq(orders.gatewayUid, uid))
  expect(order).toMatchObject({ status: 'paid', userId: null })
  await world.control('replay')
  expect(await world.db.$count(paymentEvents, eq(paymentEvents.dedupeKey, `ownerless:${uid}`))).toBe(1)
  await healPayments(world.payments)
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, id))
  expect(row).toMatchObject({ state: 'canceled' })
})
