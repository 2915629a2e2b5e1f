import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { orders, subscriptions } from '#server/db/schema.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { syncIfRenewalDue } from './gateway-sync.ts'
import { reconcilePending } from './poll-gateway.ts'
import { nextRenewalCheck } from './subscription-state.ts'
import { startPaidApp } from './testing/paid-app.ts'

const MINUTE = 60_000
const inMs = (ms: number) => new Date(Date.now() + ms)

/** The current behaviour of the fake gateway, and the requests it received. */
let silence: (() => Promise<unknown>) | null = null
const soon = () => new Promise((done) => setTimeout(done, 1))
let requests: string[] = []
async function silently<T>(name: string, ask: () => Promise<T>): Promise<T> {
  requests.push(name)
  if (!silence) return ask()
  await silence()
  throw new GatewayError('unknown')
}
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    checkout: (token) => silently(token, () => real.checkout(token)),
    subscription: (id) => silently(id, () => real.subscription(id)),
  }),
})
afterEach(async () => {
  silence = null
  requests = []
  await app.db.update(orders).set({ checkAt: null })
  await app.db.update(subscriptions).set({ checkAt: null })
})

async function dueOrders(count: number): Promise<void> {
  const { user } = await app.signIn()
  const bundle = await app.aBundle()
  const made = Array.from({ length: count }, (_, i) => ({
    id: `due-${user.id}-${i}`,
    userId: user.id,
    kind: 'bundle' as const,
    // A unique index allows one open order for a purchase.
    status: 'failed' as const,
    bundleId: bundle.id,
    title: 'Пакет',
    symbols: 1,
    amount: 1,
    currency: 'BYN',
    gatewayToken: `token-${user.id}-${i}`,
    checkAt: inMs(-MINUTE),
  }))
  await app.db.insert(orders).values(made)
}

test('a silent gateway does not delay a run beyond its deadline (S10.57)', async () => {
  await dueOrders(100)
  const background: Promise<void>[] = []
  const onBackground = (work: Promise<void>) => void background.push(work)
  let answer = () => {}
  const answered = new Promise<void>((done) => {
    answer = done
  })
  silence = () => answered
  // Nothing is answered until the run has ended: without its deadline it would never end.
  await reconcilePending({ ...app.payments, onBackground }, new Date(), { deadlineMs: 1500, concurrency: 10 })
  expect(background).toHaveLength(1)
  await expect.poll(() => requests).toHaveLength(10)
  answer()
  await Promise.all(background)
  expect(requests).toHaveLength(10)
})

test('parallel runs check every due order exactly once', async () => {
  await dueOrders(130)
  let now = 0
  let most = 0
  const { bepaid } = app.payments.shops
  if (!bepaid) throw new Error('no shop')
  const shop = {
    ...bepaid,
    gateway: {
      ...bepaid.gateway,
      checkout: async (token: string) => {
        requests.push(token)
        now += 1
        most = Math.max(most, now)
        await new Promise((done) => setTimeout(done, 5))
        now -= 1
        return null
      },
    },
  }
  const payments = { ...app.payments, shops: { ...app.payments.shops, bepaid: shop } }
  await Promise.all([reconcilePending(payments), reconcilePending(payments)])
  expect(requests).toHaveLength(130)
  expect(new Set(requests).size).toBe(130)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(10)
})

test('an order that cannot be checked is retried with growing pauses', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await app.control('lose-webhook')
  await app.buyBundle(anna, bundle.id)
  silence = soon
  const waits: number[] = []
  let at = inMs(6 * MINUTE)
  for (let i = 0; i < 4; i++) {
    await reconcilePending(app.payments, at)
    const [order] = await app.db.select().from(orders).where(eq(orders.userId, anna.user.id))
    waits.push(Math.round((Number(order?.checkAt) - at.getTime()) / MINUTE))
    at = order?.checkAt ?? at
  }
  expect(waits).toEqual([1, 2, 4, 8])
  silence = null
  await reconcilePending(app.payments, at)
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('a due renewal is asked about after 2, 10 and 60 minutes', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  await app.subscribe(anna, plan.id)
  const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.userId, anna.user.id))
  const renewAt = row?.renewAt ?? new Date(0)
  expect(Number(row?.checkAt) - renewAt.getTime()).toBe(2 * MINUTE)
  const nextAfter = (minutes: number) => {
    const now = new Date(renewAt.getTime() + minutes * MINUTE)
    return (nextRenewalCheck(renewAt, now).getTime() - renewAt.getTime()) / MINUTE
  }
  expect([-30, 0, 2, 9, 10, 59, 60, 120].map(nextAfter)).toEqual([2, 2, 10, 10, 60, 60, 120, 180])
})

test('a user without symbols has a due renewal checked at once', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  const work: Promise<void>[] = []
  const payments = { ...app.payments, onBackground: (promise: Promise<void>) => void work.push(promise) }
  const ask = async () => {
    syncIfRenewalDue(payments, anna.user.id)
    await Promise.all(work)
  }
  requests = []
  await ask()
  expect(requests).toEqual([])
  await app.control('lose-webhook')
  await app.control('renew', { id })
  const own = eq(subscriptions.gatewayId, id)
  const due = { renewAt: inMs(-MINUTE) }
  await app.db.update(subscriptions).set(due).where(own)
  requests = []
  for (let i = 0; i < 5; i++) syncIfRenewalDue(payments, anna.user.id)
  await ask()
  expect(requests).toEqual([id])
  expect((await app.balance(anna)).availableTokens).toBe(2000)
  await app.db.update(subscriptions).set(due).where(own)
  await ask()
  expect(requests).toEqual([id])
  await app.db
    .update(subscriptions)
    .set({ ...due, checkRequestedAt: sql`now() - interval '31 seconds'` })
    .where(own)
  await anna.call(paymentsApi.orders, {})
  await expect.poll(() => requests).toEqual([id, id])
  // The check goes on behind the answer, and would meet the end of this test at the same rows.
  const renewAt = async () => (await app.db.select().from(subscriptions).where(own))[0]?.renewAt
  await expect.poll(async () => Number(await renewAt())).toBeGreaterThan(Date.now())
})

test('a silent gateway fails neither the check nor the user’s request', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  await app.db
    .update(subscriptions)
    .set({ renewAt: inMs(-MINUTE) })
    .where(eq(subscriptions.gatewayId, id))
  silence = soon
  const work: Promise<void>[] = []
  syncIfRenewalDue({ ...app.payments, onBackground: (promise) => void work.push(promise) }, anna.user.id)
  expect(await Promise.all(work)).toEqual([undefined])
})
