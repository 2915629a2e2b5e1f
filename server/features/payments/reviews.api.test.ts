import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { orders } from '#server/db/schema.ts'
import { reconcilePending } from './poll-gateway.ts'
import { startYookassaApp } from './testing/yookassa-app.ts'

const app = await startYookassaApp()
const { shop, owner } = app
const bundle = await app.aBundle()

/** A payment of another sum or currency on the page of this order. */
async function payOther(value: string, currency = 'RUB', method: 'sbp' | 'bank_card' = 'sbp') {
  const person = await app.signIn()
  await person.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id, method } })
  const uid = app.newestPayment()
  const payment = shop.payments.get(uid)
  if (payment) payment.amount = { value, currency }
  await app.pay()
  const [row] = await app.db.select().from(orders).where(eq(orders.gatewayToken, uid))
  const id = row?.id ?? ''
  return { person, id, uid, read: () => person.call(paymentsApi.order, { params: { id } }) }
}

test.each([
  ['100.00', 'RUB', 10_000],
  ['350.50', 'USD', 35_050],
  ['400.00', 'RUB', 40_000],
])('the buyer is told that %s %s arrived and cannot pay again (S10.1175)', async (value, currency, amount) => {
  const { person, read, id } = await payOther(value, currency)
  expect(await read()).toMatchObject({
    ...{ status: 'pending', review: { received: { amount, currency }, isOver: false } },
    ...{ payUrl: null, qr: null },
  })
  expect((await app.balance(person)).availableTokens).toBe(0)
  expect((await app.ordersOf(person)).find((order) => order.id === id)?.review).toMatchObject({ isOver: false })
})

test('a page that closed says nothing else about such a payment (S10.1175)', async () => {
  const { read, id } = await payOther('1.00')
  await reconcilePending(app.payments, new Date(Date.now() + 8 * 86_400_000))
  await app.db.update(orders).set({ status: 'expired', checkAt: null }).where(eq(orders.id, id))
  expect(await read()).toMatchObject({ status: 'expired', review: { received: { amount: 100 }, isOver: false } })
})

test('what the administrator decided about it reaches the buyer (S10.1175)', async () => {
  const { uid, read } = await payOther('2.00')
  const { items } = await owner.call(paymentEventsApi.table, { query: { query: uid } })
  const event = items.find(({ state }) => state === 'refused')
  await owner.call(paymentEventsApi.resolve, { params: { id: event?.id ?? '' }, body: { note: 'Вернули в кабинете' } })
  expect(await read()).toMatchObject({ review: { received: { amount: 200 }, isOver: true } })
})

test('a payment of the right sum has nothing to review (S10.1175)', async () => {
  const { person, read } = await payOther('350.50')
  expect(await read()).toMatchObject({ status: 'paid', review: null })
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('what nobody can pay is listed to administrators only (S10.1176)', async () => {
  const person = await app.signIn()
  const draft = { name: 'Доллары', symbols: 1, price: 100, currency: 'USD' }
  await owner.call(bundlesApi.create, { body: draft })
  await owner.call(plansApi.create, { body: draft })
  const namesFor = async (who: typeof owner) =>
    [...(await who.call(bundlesApi.list, {})), ...(await who.call(plansApi.list, {}))].map(({ name }) => name)
  expect((await namesFor(person)).filter((name) => name === 'Доллары')).toEqual([])
  expect((await namesFor(owner)).filter((name) => name === 'Доллары')).toHaveLength(2)
  expect(await namesFor(person)).toContain('Пакет')
})
