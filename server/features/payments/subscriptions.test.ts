import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { plansApi } from '#contract/plans.ts'
import { grants, ledger, subscriptions, users } from '#server/db/schema.ts'
import { healPayments } from './heal.ts'
import { type PaidWorld, startPaidWorld } from './testing/paid-world.ts'

let world: PaidWorld
beforeAll(async () => {
  world = await startPaidWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  world.standIn.postman.mood.holdBack = 0
  await world.expectCleanBooks()
})

const subjects = async (person: Parameters<PaidWorld['lettersTo']>[0]) =>
  (await world.lettersTo(person)).map(({ subject }) => subject)
const subscriptionOf = async (gatewayId: string) => {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, gatewayId))
  if (!row) throw new Error(`No subscription ${gatewayId}`)
  return row
}

test('a renewal is an order and a grant of its own; what was left of the old period runs out with it', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000, price: 990 })
  const id = await world.subscribe(anna, plan.id)
  await world.control('renew', { id })
  expect((await world.ordersOf(anna)).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['renewal', 'paid', 990],
    ['plan', 'paid', 990],
  ])
  const given = await world.db.select().from(grants).where(eq(grants.userId, anna.user.id)).orderBy(grants.expiresAt)
  const { activeTo, paidBillingCycles } = await subscriptionOf(id)
  expect(paidBillingCycles).toBe(2)
  expect(given.map(({ expiresAt }) => expiresAt)).toEqual([given[0]?.expiresAt, activeTo])
  expect(Number(activeTo) - Number(given[0]?.expiresAt)).toBe(30 * 86_400_000)
  expect(await subjects(anna)).toEqual([
    `Оплата прошла: Тариф «${plan.name}»`,
    `Подписка продлена: Тариф «${plan.name}»`,
  ])
})

test('renewals that come twice and the wrong way round count once each', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  const id = await world.subscribe(anna, plan.id)
  await world.control('reorder', { count: 3 })
  for (let i = 0; i < 3; i++) await world.control('renew', { id })
  await world.control('replay', { count: 2 })
  expect((await world.ordersOf(anna)).map(({ kind }) => kind).sort()).toEqual(['plan', 'renewal', 'renewal', 'renewal'])
  const row = await subscriptionOf(id)
  const told = world.standIn.books.subscriptions.get(id)?.subscription
  expect(row).toMatchObject({ paidBillingCycles: 4, state: 'active', activeTo: new Date(told?.active_to ?? 0) })
  const entries = await world.db
    .select()
    .from(ledger)
    .where(and(eq(ledger.userId, anna.user.id), eq(ledger.kind, 'plan')))
  expect(entries).toHaveLength(4)
})

test('the payment and the subscription told separately are one payment', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  const id = await world.subscribe(anna, plan.id)
  await world.control('renew', { id })
  for (const { transaction } of world.standIn.books.transactions.values()) await world.notify({ transaction })
  expect(await world.ordersOf(anna)).toHaveLength(2)
  expect(await world.lettersTo(anna)).toHaveLength(2)
})

test('all ways of learning of payments at once, and cancelling and paying back meanwhile, count each once', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  const { redirect_url } = await anna.call(paymentsApi.subscriptionUrl, { query: { planId: plan.id } })
  const known = new Set(world.standIn.books.transactions.keys())
  const said = world.standIn.postman.sent.length
  await world.control('lose-webhook', { count: 3 })
  const id = new URL(await world.press(redirect_url, 'pay')).searchParams.get('id') ?? ''
  for (let i = 0; i < 2; i++) await world.control('renew', { id })
  const [first = ''] = [...world.standIn.books.transactions.keys()].filter((uid) => !known.has(uid))
  await world.control('refund', { id: first })
  const [order] = await world.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  const news: object[] = world.standIn.postman.sent.slice(said).map(({ body }) => JSON.parse(body))
  for (const [uid, { transaction }] of world.standIn.books.transactions) if (!known.has(uid)) news.push({ transaction })
  const acts = [
    ...news.flatMap((content) => Array.from({ length: 5 }, () => () => world.notify(content))),
    ...Array.from({ length: 5 }, () => () => world.owner.call(paymentsApi.check, { params })),
    ...Array.from({ length: 5 }, () => () => anna.call(paymentsApi.order, { params })),
    () => healPayments(world.payments, new Date(Date.now() + 400_000)),
    () => anna.call(paymentsApi.cancel, {}).catch(() => null),
  ]
  const shuffled = acts.map((act) => ({ act, at: Math.random() })).sort((a, b) => a.at - b.at)
  const outcomes = await Promise.allSettled(shuffled.map(({ act }) => act()))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  const made = await world.ordersOf(anna)
  expect(made.map(({ kind }) => kind).sort()).toEqual(['plan', 'renewal', 'renewal'])
  expect(made.map(({ status }) => status).sort()).toEqual(['paid', 'paid', 'refunded'])
  expect((await world.balance(anna)).availableTokens).toBe(2000)
})

test('the payment told first still knows the end of its period', async () => {
  const anna = await world.signIn()
  const { id: planId } = await world.aPlan()
  const { redirect_url } = await anna.call(paymentsApi.subscriptionUrl, { query: { planId } })
  await world.control('lose-webhook')
  const id = new URL(await world.press(redirect_url, 'pay')).searchParams.get('id') ?? ''
  const [last] = [...world.standIn.books.transactions.values()].slice(-1)
  expect((await world.notify({ transaction: last?.transaction })).status).toBe(200)
  const told = world.standIn.books.subscriptions.get(id)?.subscription
  expect(await world.balance(anna)).toMatchObject({ recurrent: true, periodEnd: told?.active_to })
})

test('cancelling ends renewal and keeps what is paid for; repeated, it says the same', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  const id = await world.subscribe(anna, plan.id)
  const before = await world.balance(anna)
  const { SingleSubscription: after } = await anna.call(paymentsApi.cancel, {})
  await world.standIn.postman.idle()
  expect(after).toEqual({ ...before, recurrent: false, nextCharge: null })
  expect(world.standIn.books.subscriptions.get(id)?.subscription).toMatchObject({
    state: 'canceled',
    cancel_reason: expect.any(String),
  })
  expect((await anna.call(paymentsApi.cancel, {})).SingleSubscription).toEqual(after)
  expect((await subjects(anna)).filter((subject) => subject.includes('отменена'))).toEqual([
    `Подписка «${plan.name}» отменена`,
  ])
  await world.subscribe(anna, plan.id)
  expect(await world.balance(anna)).toMatchObject({ recurrent: true, availableTokens: 2000 })
})

test('whoever has no subscription has nothing to cancel', async () => {
  const anna = await world.signIn()
  await expect(anna.call(paymentsApi.cancel, {})).rejects.toMatchObject({ status: 404 })
})

test('a subscription that the gateway does not know is cancelled here all the same', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  world.standIn.books.subscriptions.delete(id)
  const { SingleSubscription } = await anna.call(paymentsApi.cancel, {})
  expect(SingleSubscription).toMatchObject({ recurrent: false, availableTokens: 1000, plan: { id: plan.id } })
})

test('a cancellation made at the gateway arrives by itself', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  world.standIn.books.cancel(id, 'By the back office')
  await world.standIn.postman.idle()
  expect(await world.balance(anna)).toMatchObject({ recurrent: false, availableTokens: 1000, plan: { id: plan.id } })
})

test('a renewal that fails is told once, keeps the subscription while the bank is asked again, and may still succeed', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  await world.control('fail-renewal', { id })
  await world.control('fail-renewal', { id })
  expect(await world.balance(anna)).toMatchObject({ recurrent: true, availableTokens: 1000 })
  expect((await subjects(anna)).filter((subject) => subject.startsWith('Не удалось'))).toHaveLength(1)
  await world.control('renew', { id })
  expect((await world.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'paid'],
    ['renewal', 'failed'],
    ['renewal', 'failed'],
    ['plan', 'paid'],
  ])
  expect(await subscriptionOf(id)).toMatchObject({ state: 'active', paidBillingCycles: 2 })
})

test('a subscription whose renewals failed for good ends, and a new one may begin', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  const told = world.standIn.books.subscriptions.get(id)?.subscription
  await world.notify({ ...told, state: 'failed', renew_at: null })
  expect(await world.balance(anna)).toMatchObject({ recurrent: false, nextCharge: null })
  expect((await world.lettersTo(anna)).at(-1)?.text).toContain('подписка закончилась')
  await world.subscribe(anna, plan.id)
  expect(await world.balance(anna)).toMatchObject({ recurrent: true })
})

test('money given back for the current period ends the subscription at the gateway too', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ symbols: 1000 })
  const id = await world.subscribe(anna, plan.id)
  const [order] = await world.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  const refunded = await world.owner.call(paymentsApi.refund, { params, body: { reason: 'По просьбе клиента' } })
  await world.standIn.postman.idle()
  expect(refunded).toMatchObject({ status: 'refunded' })
  expect(await world.balance(anna)).toMatchObject({ availableTokens: 0, recurrent: false, plan: null })
  await healPayments(world.payments)
  expect(world.standIn.books.subscriptions.get(id)?.subscription.state).toBe('canceled')
  expect(await world.owner.call(paymentsApi.refund, { params, body: { reason: 'ещё раз' } })).toEqual(refunded)
  const refunds = [...world.standIn.books.transactions.values()].filter(
    ({ transaction: { type, tracking_id } }) => type === 'refund' && tracking_id === `plan:${params.id}`,
  )
  expect(refunds).toHaveLength(1)
})

test('a refund whose answer got lost is repeated without paying twice', async () => {
  const anna = await world.signIn()
  const bundle = await world.aBundle()
  const uid = await world.buyBundle(anna, bundle.id)
  const [order] = await world.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  const refund = () => world.owner.call(paymentsApi.refund, { params, body: { reason: 'Ошибка' } })
  await world.control('lose-webhook')
  await world.control('timeout-after-commit')
  await expect(refund()).rejects.toMatchObject({ status: 503 })
  expect(await refund()).toMatchObject({ status: 'refunded' })
  const back = [...world.standIn.books.transactions.values()].filter(
    ({ transaction }) => transaction.parent_uid === uid,
  )
  expect(back).toHaveLength(1)
})

test('what is not paid cannot be given back', async () => {
  const anna = await world.signIn()
  const bundle = await world.aBundle()
  await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await world.ordersOf(anna)
  const refund = world.owner.call(paymentsApi.refund, { params: { id: order?.id ?? '' }, body: { reason: 'Ошибка' } })
  await expect(refund).rejects.toMatchObject({ status: 409 })
})

test('two plans paid in two tabs: both give their symbols, only the later one is charged again', async () => {
  const anna = await world.signIn()
  const [first, second] = [await world.aPlan({ symbols: 100 }), await world.aPlan({ symbols: 200 })]
  const pages = []
  for (const { id: planId } of [first, second]) {
    pages.push((await anna.call(paymentsApi.subscriptionUrl, { query: { planId } })).redirect_url)
  }
  const ids = []
  for (const page of pages) ids.push(new URL(await world.press(page, 'pay')).searchParams.get('id') ?? '')
  expect(await world.balance(anna)).toMatchObject({ availableTokens: 300, recurrent: true, plan: { id: second.id } })
  await healPayments(world.payments)
  expect(ids.map((id) => world.standIn.books.subscriptions.get(id)?.subscription.state)).toEqual(['canceled', 'active'])
})

test('whoever deletes the account is not charged again, and the payment stays in the accounts', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan()
  const id = await world.subscribe(anna, plan.id)
  await world.db.delete(users).where(eq(users.id, anna.user.id))
  await healPayments(world.payments)
  await world.standIn.postman.idle()
  expect(world.standIn.books.subscriptions.get(id)?.subscription.state).toBe('canceled')
  expect(await subscriptionOf(id)).toMatchObject({ userId: null, state: 'canceled' })
})

test('subscribers keep their price and learn of the new one by letter', async () => {
  const anna = await world.signIn()
  const plan = await world.aPlan({ price: 990 })
  const id = await world.subscribe(anna, plan.id)
  await world.owner.call(plansApi.update, { params: { id: plan.id }, body: { price: 1990 } })
  const letter = (await world.lettersTo(anna)).at(-1)
  expect(letter?.subject).toBe(`Изменились условия тарифа «${plan.name}»`)
  for (const sum of ['9,90', '19,90']) expect(letter?.text).toContain(sum)
  expect((await world.balance(anna)).nextCharge?.amount).toBe(990)
  await world.control('renew', { id })
  expect((await world.ordersOf(anna)).map(({ amount }) => amount)).toEqual([990, 990])
})
