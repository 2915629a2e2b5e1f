import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { liveSubscription, subscriptions } from '#server/db/schema.ts'
import { reconcilePending } from './poll-gateway.ts'
import { type PaidApp, startPaidApp } from './testing/paid-app.ts'

/** What a person, the gateway and the jobs of several servers do to one subscription at the same moment. */

const app = await startPaidApp()

type Person = Awaited<ReturnType<PaidApp['signIn']>>
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

async function subscriber() {
  const anna = await app.signIn()
  const start = await app.aPlan({ symbols: 1000, price: 990 })
  const pro = await app.aPlan({ symbols: 5000, price: 2990 })
  return { anna, start, pro, id: await app.subscribe(anna, start.id) }
}
async function change(person: Person, planId: string) {
  const { amount } = await person.call(paymentsApi.changeTerms, { query: { planId } })
  return { ...(await person.call(paymentsApi.changePlan, { body: { planId, amount } })), amount }
}
const liveOf = (person: Person) =>
  app.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, person.user.id), liveSubscription()))
const atGateway = () => [...app.fakeBepaid.accounts.subscriptions.values()].map(({ subscription }) => subscription)
const paidBy = async (person: Person) => (await app.ordersOf(person)).filter(({ status }) => status === 'paid')

/** Each payment is one order, and the balance is what the paid orders give. */
async function expectExact(person: Person, payments: number) {
  const paid = await paidBy(person)
  expect(paid).toHaveLength(payments)
  const bought = paid.reduce((sum, { symbols }) => sum + symbols, 0)
  expect((await app.balance(person)).availableTokens).toBe(bought)
  expect((await liveOf(person)).length).toBeLessThanOrEqual(1)
}

test('parallel requests for the same change open a single payment page (S10.617)', async () => {
  const { anna, pro } = await subscriber()
  const pages = await Promise.all(Array.from({ length: 6 }, () => change(anna, pro.id)))
  expect(new Set(pages.map(({ redirect_url }) => redirect_url)).size).toBe(1)
  await app.press(pages[0]?.redirect_url ?? '', 'pay')
  await Promise.all([
    reconcilePending(app.payments),
    reconcilePending(app.payments),
    app.control('replay', { count: 3 }),
  ])
  await expectExact(anna, 2)
})

test('a change paid during cancellation gives its worth, without double renewal (S10.617)', async () => {
  const { anna, pro } = await subscriber()
  const { redirect_url } = await change(anna, pro.id)
  await Promise.allSettled([
    app.press(redirect_url ?? '', 'pay'),
    anna.call(paymentsApi.cancel, {}),
    reconcilePending(app.payments),
  ])
  await reconcilePending(app.payments, later(6))
  await reconcilePending(app.payments, later(12))
  await expectExact(anna, 2)
  const renewing = atGateway().filter(({ state }) => state === 'active')
  const own = await app.db.select().from(subscriptions).where(eq(subscriptions.userId, anna.user.id))
  const ids = new Set(own.map(({ gatewayId }) => gatewayId))
  expect(renewing.filter(({ id }) => ids.has(id)).length).toBeLessThanOrEqual(1)
})

test('a change during repeated webhooks pays and gives once (S10.617)', async () => {
  const { anna, pro } = await subscriber()
  const [page] = await Promise.all([
    change(anna, pro.id),
    app.control('replay', { count: 3 }),
    reconcilePending(app.payments, later(6)),
  ])
  await Promise.all([app.press(page.redirect_url ?? '', 'pay'), app.control('replay', { count: 3 })])
  await Promise.all([reconcilePending(app.payments, later(6)), reconcilePending(app.payments, later(7))])
  await expectExact(anna, 2)
  expect(await app.balance(anna)).toMatchObject({ plan: { id: pro.id } })
})
