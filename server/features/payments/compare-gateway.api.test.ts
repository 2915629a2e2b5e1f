import { and, arrayContains, eq, isNotNull } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import type { Traces } from '#server/payments/gateway.ts'
import { compareWithBepaid } from './compare-gateway.ts'
import { startPaidApp } from './testing/paid-app.ts'

const DAY = 86_400_000

let since: Date
const app = await startPaidApp()
afterEach(async () => {
  // Differences left by one test must not reach the next.
  app.fakeBepaid.accounts.subscriptions.clear()
  app.fakeBepaid.accounts.transactions.clear()
  await app.db.update(orders).set({ createdAt: new Date(0) })
  await app.db
    .update(orders)
    .set({ paidAt: new Date(0) })
    .where(isNotNull(orders.paidAt))
  await app.db.update(subscriptions).set({ state: 'expired' })
})

const compare = async (apply = false) => {
  since = new Date(Date.now() - DAY)
  return compareWithBepaid(app.payments, { since, apply })
}
const texts = (found: Awaited<ReturnType<typeof compare>>) => found.map(({ text }) => text).join('\n')

test('equal data has no differences', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  await app.control('renew', { id })
  await app.buyBundle(anna, (await app.aBundle()).id)
  await app.control('refund')
  expect(await compare()).toEqual([])
})

test('unknown payments, renewals and refunds are listed, and fixed with apply (S10.64)', async () => {
  const anna = await app.signIn()
  const [plan, bundle] = [await app.aPlan({ symbols: 1000 }), await app.aBundle({ symbols: 500 })]
  const id = await app.subscribe(anna, plan.id)
  const uid = await app.buyBundle(anna, bundle.id)
  await app.control('lose-webhook', { count: 3 })
  await app.control('renew', { id })
  await app.control('refund', { id: uid })
  const second = await app.aBundle({ symbols: 700 })
  const unpaid = await app.buyBundle(anna, second.id)
  const before = await app.ordersOf(anna)
  const found = await compare()
  expect(found.map(({ attached }) => attached)).toEqual(found.map(() => false))
  for (const part of [id, 'refund', unpaid]) expect(texts(found)).toContain(part)
  expect(await app.ordersOf(anna)).toEqual(before)
  expect((await app.balance(anna)).availableTokens).toBe(1500)

  const fixed = await compare(true)
  expect(fixed.map(({ attached }) => attached)).toEqual(fixed.map(() => true))
  expect((await app.balance(anna)).availableTokens).toBe(2700)
  expect(await compare()).toEqual([])
})

test('a subscription whose order a backup lost is listed and stored', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  await app.control('lose-webhook')
  const id = await app.subscribe(anna, plan.id)
  // The backup is older than the purchase.
  await app.db.delete(orders).where(eq(orders.userId, anna.user.id))
  await app.db.delete(subscriptions).where(eq(subscriptions.gatewayId, id))
  const [payment] = [...app.fakeBepaid.accounts.transactions.keys()]
  const found = await compare(true)
  expect(texts(found)).toContain(`Подписка ${id}`)
  expect(texts(found)).toContain(payment)
  expect(found.every(({ attached }) => !attached)).toBe(true)
  const isOrphan = and(arrayContains(paymentEvents.refs, [payment ?? '']), eq(paymentEvents.orphan, true))
  expect(await app.db.$count(paymentEvents, isOrphan)).toBe(1)
})

test('a payment and a subscription unknown to the gateway are listed', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  app.fakeBepaid.accounts.transactions.clear()
  app.fakeBepaid.accounts.subscriptions.delete(id)
  const found = texts(await compare())
  expect(found).toContain(`Подписка ${id}: здесь она идёт, у bePaid её нет`)
  expect(found).toMatch(/здесь он учтён на 9,90\sBYN, у bePaid его нет/)
})

test('a failed request is listed, and the others are still made', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  const bundle = await app.aBundle()
  await app.buyBundle(anna, bundle.id)
  await app.control('lose-webhook')
  const lost = await app.buyBundle(boris, bundle.id)
  const [order] = await app.ordersOf(anna)
  const { bepaid: shop } = app.payments.shops
  if (!shop) throw new Error('no shop')
  const gateway = {
    ...shop.gateway,
    transactionsOf: async (traces: Traces) => {
      if (traces.trackingId === `bundle:${order?.id}`) throw new Error('timeout')
      return shop.gateway.transactionsOf(traces)
    },
  }
  const payments = { ...app.payments, shops: { ...app.payments.shops, bepaid: { ...shop, gateway } } }
  const found = texts(await compareWithBepaid(payments, { since: new Date(Date.now() - DAY), apply: false }))
  expect(found).toContain('не удалось сверить')
  expect(found).toContain(lost)
})
