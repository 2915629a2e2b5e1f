import { and, arrayContains, eq, isNotNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { compareWithGateway } from './compare-gateway.ts'
import { type PaidWorld, startPaidWorld } from './testing/paid-world.ts'

const DAY = 86_400_000

let world: PaidWorld
let since: Date
beforeAll(async () => {
  world = await startPaidWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  await world.expectCleanBooks()
  // What one test leaves different is no business of the next.
  world.standIn.books.subscriptions.clear()
  world.standIn.books.transactions.clear()
  await world.db.update(orders).set({ createdAt: new Date(0) })
  await world.db
    .update(orders)
    .set({ paidAt: new Date(0) })
    .where(isNotNull(orders.paidAt))
  await world.db.update(subscriptions).set({ state: 'expired' })
})

const compare = async (apply = false) => {
  since = new Date(Date.now() - DAY)
  return compareWithGateway(world.payments, { since, apply })
}
const texts = (found: Awaited<ReturnType<typeof compare>>) => found.map(({ text }) => text).join('\n')

test('where everything is known nothing differs', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  await world.control('renew', { id })
  await world.buyBundle(anna, (await world.aBundle()).id)
  await world.control('refund')
  expect(await compare()).toEqual([])
})

test('a payment, a renewal and a refund that are not known here are named, and put right only when asked to', async () => {
  const anna = await world.signIn()
  const [plan, bundle] = [await world.aPlan({ symbols: 1000 }), await world.aBundle({ symbols: 500 })]
  const id = await world.subscribe(anna, plan.id)
  const uid = await world.buyBundle(anna, bundle.id)
  await world.control('lose-webhook', { count: 3 })
  await world.control('renew', { id })
  await world.control('refund', { id: uid })
  const second = await world.aBundle({ symbols: 700 })
  const unpaid = await world.buyBundle(anna, second.id)
  const before = await world.ordersOf(anna)
  const found = await compare()
  expect(found.map(({ attached }) => attached)).toEqual(found.map(() => false))
  for (const part of [id, 'refund', unpaid]) expect(texts(found)).toContain(part)
  expect(await world.ordersOf(anna)).toEqual(before)
  expect((await world.balance(anna)).availableTokens).toBe(1500)

  const fixed = await compare(true)
  expect(fixed.map(({ attached }) => attached)).toEqual(fixed.map(() => true))
  expect((await world.balance(anna)).availableTokens).toBe(2700)
  expect(await compare()).toEqual([])
})

test('after a restored backup a subscription whose order is lost is named and kept for the administrator', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  await world.control('lose-webhook')
  const id = await world.subscribe(anna, plan.id)
  // The dump is older than the purchase.
  await world.db.delete(orders).where(eq(orders.userId, anna.user.id))
  await world.db.delete(subscriptions).where(eq(subscriptions.gatewayId, id))
  const [payment] = [...world.standIn.books.transactions.keys()]
  const found = await compare(true)
  expect(texts(found)).toContain(`Подписка ${id}`)
  expect(texts(found)).toContain(payment)
  expect(found.every(({ attached }) => !attached)).toBe(true)
  const kept = and(arrayContains(paymentEvents.refs, [payment ?? '']), eq(paymentEvents.orphan, true))
  expect(await world.db.$count(paymentEvents, kept)).toBe(1)
})

test('a payment that only we know of, and a subscription that only we know of, are named', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  world.standIn.books.transactions.clear()
  world.standIn.books.subscriptions.delete(id)
  const found = texts(await compare())
  expect(found).toContain(`Подписка ${id}: здесь она идёт, у bePaid её нет`)
  expect(found).toMatch(/здесь он учтён на 9,90\sBYN, у bePaid его нет/)
})

test('one question that fails is named, and the others are still asked', async () => {
  const [anna, boris] = [await world.signIn(), await world.signIn()]
  const bundle = await world.aBundle()
  await world.buyBundle(anna, bundle.id)
  await world.control('lose-webhook')
  const lost = await world.buyBundle(boris, bundle.id)
  const [order] = await world.ordersOf(anna)
  const { shop } = world.payments
  if (!shop) throw new Error('no shop')
  const gateway = {
    ...shop.gateway,
    transactionsByTracking: async (name: string) => {
      if (name === `bundle:${order?.id}`) throw new Error('timeout')
      return shop.gateway.transactionsByTracking(name)
    },
  }
  const payments = { ...world.payments, shop: { ...shop, gateway } }
  const found = texts(await compareWithGateway(payments, { since: new Date(Date.now() - DAY), apply: false }))
  expect(found).toContain('не удалось сверить')
  expect(found).toContain(lost)
})
