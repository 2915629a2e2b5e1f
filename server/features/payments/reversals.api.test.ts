import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { orders, paymentProblems, subscriptions, users } from '#server/db/schema.ts'
import { reconcilePending } from './poll-gateway.ts'
import { startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()
afterEach(() => {
  app.fakeBepaid.accounts.naming.charge = 'payment'
})

const openEvents = async (query: string) => (await app.owner.call(paymentEventsApi.table, { query: { query } })).items
const lastPayment = () => {
  const [last] = [...app.fakeBepaid.accounts.transactions.values()].slice(-1)
  if (!last) throw new Error('nothing was paid')
  return last.transaction
}

test('the gateway’s «charge» counts for first payments and renewals (S10.53)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  app.fakeBepaid.accounts.naming.charge = 'charge'
  const id = await app.subscribe(anna, plan.id)
  await app.control('renew', { id })
  expect((await app.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'paid'],
    ['plan', 'paid'],
  ])
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 2000, recurrent: true })
})

test('an unknown operation is rejected and can be counted by hand (S10.53)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  app.fakeBepaid.accounts.naming.charge = 'mystery'
  await app.subscribe(anna, plan.id)
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'pending' }])
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 0, recurrent: false })
  const { uid } = lastPayment()
  expect(await openEvents(uid)).toMatchObject([{ state: 'refused', problem: expect.stringContaining('«mystery»') }])
  await app.notify({ transaction: lastPayment() })
  const event = (await openEvents(uid)).find(({ kind }) => kind === 'unknown')
  const [order] = await app.ordersOf(anna)
  await app.owner.call(paymentEventsApi.attach, {
    params: { id: event?.id ?? '' },
    body: { orderId: order?.id ?? '' },
  })
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'paid' }])
  await app.owner.call(paymentsApi.check, { params: { id: order?.id ?? '' } })
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 1000, recurrent: true })
})

test('a rejected gateway response is shown to the admin like webhooks', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await app.control('lose-webhook')
  const uid = await app.buyBundle(anna, bundle.id)
  lastPayment().type = 'mystery'
  await reconcilePending(app.payments, new Date(Date.now() + 6 * 60_000))
  expect(await openEvents(uid)).toMatchObject([{ state: 'refused', problem: expect.stringContaining('«mystery»') }])
  expect((await app.balance(anna)).availableTokens).toBe(0)
})

test.each(['authorization', 'void', 'credit', 'tokenization'])('«%s» is not a payment, and is shown', async (type) => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await app.ordersOf(anna)
  const transaction = { uid: randomUUID(), type, status: 'successful', amount: 350, currency: 'BYN' }
  await app.notify({ transaction: { ...transaction, tracking_id: `bundle:${order?.id}` } })
  expect(await openEvents(transaction.uid)).toMatchObject([{ state: 'refused' }])
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'pending' }])
})

test('a card declined before another paid is not a failed renewal', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  const paid = lastPayment()
  const before = new Date(Date.parse(paid.created_at) - 60_000).toISOString()
  const declined = { ...paid, uid: randomUUID(), status: 'failed' as const, created_at: before, paid_at: null }
  app.fakeBepaid.accounts.transactions.set(declined.uid, { transaction: declined, notify: '' })
  const [order] = await app.ordersOf(anna)
  await app.owner.call(paymentsApi.check, { params: { id: order?.id ?? '' } })
  await app.notify({ transaction: declined })
  expect((await app.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([['plan', 'paid']])
  await app.control('fail-renewal', { id })
  expect((await app.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'failed'],
    ['plan', 'paid'],
  ])
})

test('a renewal charged after account deletion is shown to the admin', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  await app.db.delete(users).where(eq(users.id, anna.user.id))
  await app.control('renew', { id })
  const { uid } = lastPayment()
  expect(await openEvents(uid)).toMatchObject([
    { kind: 'payment', amount: 990, state: 'refused', problem: expect.stringContaining('аккаунт покупателя удалён') },
  ])
  const [order] = await app.db.select().from(orders).where(eq(orders.gatewayUid, uid))
  expect(order).toMatchObject({ status: 'paid', userId: null })
  await app.control('replay')
  expect(await app.db.$count(paymentProblems, eq(paymentProblems.uid, uid))).toBe(1)
  await reconcilePending(app.payments)
  const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, id))
  expect(row).toMatchObject({ state: 'canceled' })
})

test('a refund is told by one email with its symbols (S10.1457)', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await app.buyBundle(anna, bundle.id)
  const [order] = await app.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  await app.sendEmails()
  app.outbox.length = 0
  await app.owner.call(paymentsApi.refund, { params, body: { reason: 'Передумал', amount: 100 } })
  await app.owner.call(paymentsApi.refund, { params, body: { reason: 'Передумал' } })
  await app.owner.call(paymentsApi.check, { params })
  await app.sendEmails()
  const texts = app.outbox.filter(({ to }) => to === anna.user.email).map(({ text }) => text.replace(/\s/g, ' '))
  expect(texts).toHaveLength(2)
  expect(texts[0]).toContain('Мы вернули 1,00 BYN')
  expect(texts[0]).toContain('Это часть суммы, символы остаются у вас.')
  expect(texts[1]).toContain('Деньги придут тем же способом, которым вы платили')
  expect(texts[1]).toMatch(/С баланса ушло [\d ]+ символов этой покупки/)
})

test('a cancellation by a refund promises no symbols (S10.1457)', async () => {
  const anna = await app.signIn()
  await app.subscribe(anna, (await app.aPlan()).id)
  const [order] = await app.ordersOf(anna)
  await app.sendEmails()
  app.outbox.length = 0
  await app.owner.call(paymentsApi.refund, { params: { id: order?.id ?? '' }, body: { reason: 'Передумал' } })
  await reconcilePending(app.payments)
  await app.sendEmails()
  const texts = app.outbox.filter(({ to }) => to === anna.user.email).map(({ text }) => text.replace(/\s/g, ' '))
  expect(texts.join()).toContain('Мы вернули')
  expect(texts.join()).toContain('больше не продлевается')
  expect(texts.join()).not.toContain('остаются у вас')
})

test('an admin ends the renewal of a person who cannot (S10.1458)', async () => {
  const anna = await app.signIn()
  await app.subscribe(anna, (await app.aPlan()).id)
  const params = { id: anna.user.id }
  await expect(anna.call(ordersAdminApi.cancelRenewal, { params })).rejects.toMatchObject({ status: 403 })
  const { SingleSubscription } = await app.owner.call(ordersAdminApi.cancelRenewal, { params })
  expect(SingleSubscription).toMatchObject({ recurrent: false, endReason: 'canceled' })
})
