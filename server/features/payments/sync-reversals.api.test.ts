import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { orders } from '#server/db/schema.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { syncReversals } from './sync-reversals.ts'
import { startPaidApp } from './testing/paid-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const inMs = (ms: number) => new Date(Date.now() + ms)

let trackingIds: string[] = []
let broken = ''
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    transactionsOf: async (order) => {
      trackingIds.push(order.trackingId)
      if (order.trackingId === broken) throw new GatewayError('unknown')
      return real.transactionsOf(order)
    },
  }),
})
afterEach(async () => {
  broken = ''
  await app.db.update(orders).set({ reversalsCheckedAt: inMs(1000 * DAY) })
})

const run = async (ms: number) => {
  trackingIds = []
  await syncReversals(app.payments, inMs(ms), { pauseMs: 0 })
  return trackingIds
}
const aBuyer = async () => {
  const person = await app.signIn()
  const bundle = await app.aBundle()
  const uid = await app.buyBundle(person, bundle.id)
  const [order] = await app.ordersOf(person)
  return { person, uid, id: order?.id ?? '', name: `bundle:${order?.id}` }
}

test('an unreported chargeback is found within a day and applied once (S10.62)', async () => {
  const anna = await aBuyer()
  await app.control('lose-webhook')
  await app.control('chargeback', { id: anna.uid })
  expect(await run(23 * HOUR)).toEqual([])
  expect(await run(25 * HOUR)).toEqual([anna.name])
  expect(await app.ordersOf(anna.person)).toMatchObject([{ status: 'charged_back' }])
  expect((await app.balance(anna.person)).availableTokens).toBe(0)
  const { items } = await app.owner.call(paymentEventsApi.table, { query: { state: 'all', query: anna.uid } })
  expect(items.map(({ kind, state }) => [kind, state])).toContainEqual(['chargeback', 'taken'])
  await app.control('replay')
  expect(await app.ordersOf(anna.person)).toMatchObject([{ status: 'charged_back' }])
})

test('a refunded renewal is found by the subscription’s first order', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  await app.control('renew', { id })
  const [renewal] = [...app.fakeBepaid.accounts.transactions.keys()].slice(-1)
  await app.control('lose-webhook')
  await app.control('refund', { id: renewal ?? '' })
  const [, first] = await app.ordersOf(anna)
  const own = eq(orders.id, first?.id ?? '')
  // The first payment is older than 120 days, the renewal is not.
  await app.db
    .update(orders)
    .set({ paidAt: inMs(-200 * DAY) })
    .where(own)
  expect(await run(25 * HOUR)).toEqual([`plan:${first?.id}`])
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['refunded', 'paid'])
  expect((await app.balance(anna)).availableTokens).toBe(1000)
})

test('orders are checked daily for 120 days; failed checks retry hourly', async () => {
  const [anna, boris] = [await aBuyer(), await aBuyer()]
  broken = anna.name
  expect((await run(25 * HOUR)).toSorted()).toEqual([anna.name, boris.name].toSorted())
  expect(await run(25.5 * HOUR)).toEqual([])
  broken = ''
  expect(await run(26.1 * HOUR)).toEqual([anna.name])
  expect(await run(50 * HOUR)).toEqual([boris.name])
  expect(await run(119 * DAY)).toHaveLength(2)
  expect(await run(122 * DAY)).toEqual([])
})

test('a run that is cut short continues where it ended', async () => {
  const buyers = []
  for (let i = 0; i < 6; i++) buyers.push(await aBuyer())
  trackingIds = []
  await syncReversals(app.payments, inMs(25 * HOUR), { pauseMs: 200, deadlineMs: 150 })
  const first = [...trackingIds]
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(6)
  await new Promise((done) => setTimeout(done, 300))
  const rest = await run(25 * HOUR)
  expect([...first, ...rest].toSorted()).toEqual(buyers.map(({ name }) => name).toSorted())
})
