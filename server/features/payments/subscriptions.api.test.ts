import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { plansApi } from '#contract/plans.ts'
import { grants, ledger, subscriptions, users } from '#server/db/schema.ts'
import { reconcilePending } from './poll-gateway.ts'
import { type PaidApp, startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()
afterEach(() => {
  app.fakeBepaid.webhookSender.mood.holdBack = 0
})

const subjects = async (person: Parameters<PaidApp['emailsTo']>[0]) =>
  (await app.emailsTo(person)).map(({ subject }) => subject)
const subscriptionOf = async (gatewayId: string) => {
  const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, gatewayId))
  if (!row) throw new Error(`No subscription ${gatewayId}`)
  return row
}

test('a renewal has its own order and grant; the old rest expires (S10.5)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000, price: 990 })
  const id = await app.subscribe(anna, plan.id)
  await app.control('renew', { id })
  expect((await app.ordersOf(anna)).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['renewal', 'paid', 990],
    ['plan', 'paid', 990],
  ])
  const given = await app.db.select().from(grants).where(eq(grants.userId, anna.user.id)).orderBy(grants.expiresAt)
  const { activeTo, paidBillingCycles } = await subscriptionOf(id)
  expect(paidBillingCycles).toBe(2)
  expect(given.map(({ expiresAt }) => expiresAt)).toEqual([given[0]?.expiresAt, activeTo])
  expect(Number(activeTo) - Number(given[0]?.expiresAt)).toBe(30 * 86_400_000)
  expect(await subjects(anna)).toEqual([
    `Оплата прошла: Тариф «${plan.name}»`,
    `Подписка продлена: Тариф «${plan.name}»`,
  ])
})

test('renewals that come twice and out of order count once each (S10.54)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  await app.control('reorder', { count: 3 })
  for (let i = 0; i < 3; i++) await app.control('renew', { id })
  await app.control('replay', { count: 2 })
  expect((await app.ordersOf(anna)).map(({ kind }) => kind).sort()).toEqual(['plan', 'renewal', 'renewal', 'renewal'])
  const row = await subscriptionOf(id)
  const reported = app.fakeBepaid.accounts.subscriptions.get(id)?.subscription
  expect(row).toMatchObject({ paidBillingCycles: 4, state: 'active', activeTo: new Date(reported?.active_to ?? 0) })
  const entries = await app.db
    .select()
    .from(ledger)
    .where(and(eq(ledger.userId, anna.user.id), eq(ledger.kind, 'plan')))
  expect(entries).toHaveLength(4)
})

test('events of a payment and its subscription count as a single payment', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  await app.control('renew', { id })
  for (const { transaction } of app.fakeBepaid.accounts.transactions.values()) await app.notify({ transaction })
  expect(await app.ordersOf(anna)).toHaveLength(2)
  expect(await app.emailsTo(anna)).toHaveLength(2)
})

test('simultaneous webhooks, checks, cancellations and refunds count each payment once (S10.35, S10.54)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const { redirect_url } = await anna.call(paymentsApi.subscriptionUrl, { query: { planId: plan.id } })
  const known = new Set(app.fakeBepaid.accounts.transactions.keys())
  const sentBefore = app.fakeBepaid.webhookSender.sent.length
  await app.control('lose-webhook', { count: 3 })
  const id = new URL(await app.press(redirect_url, 'pay')).searchParams.get('id') ?? ''
  for (let i = 0; i < 2; i++) await app.control('renew', { id })
  const [first = ''] = [...app.fakeBepaid.accounts.transactions.keys()].filter((uid) => !known.has(uid))
  await app.control('refund', { id: first })
  const [order] = await app.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  const published: object[] = app.fakeBepaid.webhookSender.sent.slice(sentBefore).map(({ body }) => JSON.parse(body))
  for (const [uid, { transaction }] of app.fakeBepaid.accounts.transactions)
    if (!known.has(uid)) published.push({ transaction })
  const actions = [
    ...published.flatMap((content) => Array.from({ length: 5 }, () => () => app.notify(content))),
    ...Array.from({ length: 5 }, () => () => app.owner.call(paymentsApi.check, { params })),
    ...Array.from({ length: 5 }, () => () => anna.call(paymentsApi.order, { params })),
    () => reconcilePending(app.payments, new Date(Date.now() + 400_000)),
    () => anna.call(paymentsApi.cancel, {}).catch(() => null),
  ]
  const shuffled = actions.map((action) => ({ action, at: Math.random() })).sort((a, b) => a.at - b.at)
  const outcomes = await Promise.allSettled(shuffled.map(({ action }) => action()))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  const made = await app.ordersOf(anna)
  expect(made.map(({ kind }) => kind).sort()).toEqual(['plan', 'renewal', 'renewal'])
  expect(made.map(({ status }) => status).sort()).toEqual(['paid', 'paid', 'refunded'])
  expect((await app.balance(anna)).availableTokens).toBe(2000)
})

test('a payment event that comes first still gets its period’s end', async () => {
  const anna = await app.signIn()
  const { id: planId } = await app.aPlan()
  const { redirect_url } = await anna.call(paymentsApi.subscriptionUrl, { query: { planId } })
  await app.control('lose-webhook')
  const id = new URL(await app.press(redirect_url, 'pay')).searchParams.get('id') ?? ''
  const [last] = [...app.fakeBepaid.accounts.transactions.values()].slice(-1)
  expect((await app.notify({ transaction: last?.transaction })).status).toBe(200)
  const reported = app.fakeBepaid.accounts.subscriptions.get(id)?.subscription
  expect(await app.balance(anna)).toMatchObject({ recurrent: true, periodEnd: reported?.active_to })
})

test('cancelling ends renewal, keeps the paid period and can be repeated (S10.51)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  const before = await app.balance(anna)
  const { SingleSubscription: after } = await anna.call(paymentsApi.cancel, {})
  await app.fakeBepaid.webhookSender.idle()
  expect(after).toEqual({ ...before, recurrent: false, nextCharge: null, endReason: 'canceled' })
  expect(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription).toMatchObject({
    state: 'canceled',
    cancel_reason: expect.any(String),
  })
  expect((await anna.call(paymentsApi.cancel, {})).SingleSubscription).toEqual(after)
  expect((await subjects(anna)).filter((subject) => subject.includes('отменена'))).toEqual([
    `Подписка «${plan.name}» отменена`,
  ])
  await app.subscribe(anna, plan.id)
  expect(await app.balance(anna)).toMatchObject({ recurrent: true, availableTokens: 2000 })
})

test('the last plan is known after its period is over (S10.196)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  await app.subscribe(anna, plan.id)
  await anna.call(paymentsApi.cancel, {})
  await app.fakeBepaid.webhookSender.idle()
  await app.db
    .update(subscriptions)
    .set({ activeTo: new Date('2026-01-01') })
    .where(eq(subscriptions.userId, anna.user.id))
  expect(await app.balance(anna)).toMatchObject({ plan: null, recurrent: false, lastPlanId: plan.id })
  expect(await app.balance(await app.signIn())).toMatchObject({ plan: null, lastPlanId: null })
})

test('a user without a subscription has nothing to cancel', async () => {
  const anna = await app.signIn()
  await expect(anna.call(paymentsApi.cancel, {})).rejects.toMatchObject({ status: 404 })
})

test('a subscription unknown to the gateway can still be cancelled', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  app.fakeBepaid.accounts.subscriptions.delete(id)
  const { SingleSubscription } = await anna.call(paymentsApi.cancel, {})
  expect(SingleSubscription).toMatchObject({ recurrent: false, availableTokens: 1000, plan: { id: plan.id } })
})

test('a cancellation made at the gateway arrives by itself', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  app.fakeBepaid.accounts.cancel(id, 'By the back office')
  await app.fakeBepaid.webhookSender.idle()
  expect(await app.balance(anna)).toMatchObject({ recurrent: false, availableTokens: 1000, plan: { id: plan.id } })
})

test('a failed renewal sends an email, keeps the subscription and may succeed (S10.72)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  await app.control('fail-renewal', { id })
  await app.control('fail-renewal', { id })
  expect(await app.balance(anna)).toMatchObject({ recurrent: true, availableTokens: 1000 })
  expect((await subjects(anna)).filter((subject) => subject.startsWith('Не удалось'))).toHaveLength(1)
  await app.control('renew', { id })
  expect((await app.ordersOf(anna)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'paid'],
    ['renewal', 'failed'],
    ['renewal', 'failed'],
    ['plan', 'paid'],
  ])
  expect(await subscriptionOf(id)).toMatchObject({ state: 'active', paidBillingCycles: 2 })
})

test('a subscription ends after its renewals fail, and another may begin', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  const reported = app.fakeBepaid.accounts.subscriptions.get(id)?.subscription
  await app.notify({ ...reported, state: 'failed', renew_at: null })
  expect(await app.balance(anna)).toMatchObject({ recurrent: false, nextCharge: null })
  expect((await app.emailsTo(anna)).at(-1)?.text).toContain('подписка закончилась')
  await app.subscribe(anna, plan.id)
  expect(await app.balance(anna)).toMatchObject({ recurrent: true })
})

test('a refund of the current period ends the subscription everywhere', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(anna, plan.id)
  const [order] = await app.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  const refunded = await app.owner.call(paymentsApi.refund, { params, body: { reason: 'По просьбе клиента' } })
  await app.fakeBepaid.webhookSender.idle()
  expect(refunded).toMatchObject({ status: 'refunded' })
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 0, recurrent: false, plan: null })
  await reconcilePending(app.payments)
  expect(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription.state).toBe('canceled')
  expect(await app.owner.call(paymentsApi.refund, { params, body: { reason: 'ещё раз' } })).toEqual(refunded)
  const refunds = [...app.fakeBepaid.accounts.transactions.values()].filter(
    ({ transaction: { type, tracking_id } }) => type === 'refund' && tracking_id === `plan:${params.id}`,
  )
  expect(refunds).toHaveLength(1)
})

test('a refund whose response was lost is repeated without paying twice', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  const uid = await app.buyBundle(anna, bundle.id)
  const [order] = await app.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  const refund = () => app.owner.call(paymentsApi.refund, { params, body: { reason: 'Ошибка' } })
  await app.control('lose-webhook')
  await app.control('timeout-after-commit')
  await expect(refund()).rejects.toMatchObject({ status: 503 })
  expect(await refund()).toMatchObject({ status: 'refunded' })
  const back = [...app.fakeBepaid.accounts.transactions.values()].filter(
    ({ transaction }) => transaction.parent_uid === uid,
  )
  expect(back).toHaveLength(1)
})

test('an unpaid order cannot be refunded', async () => {
  const anna = await app.signIn()
  const bundle = await app.aBundle()
  await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = await app.ordersOf(anna)
  const refund = app.owner.call(paymentsApi.refund, { params: { id: order?.id ?? '' }, body: { reason: 'Ошибка' } })
  await expect(refund).rejects.toMatchObject({ status: 409 })
})

test('two plans paid in two tabs give symbols; only the later renews', async () => {
  const anna = await app.signIn()
  const [first, second] = [await app.aPlan({ symbols: 100 }), await app.aPlan({ symbols: 200 })]
  const pages = []
  for (const { id: planId } of [first, second]) {
    pages.push((await anna.call(paymentsApi.subscriptionUrl, { query: { planId } })).redirect_url)
  }
  const ids = []
  for (const page of pages) ids.push(new URL(await app.press(page, 'pay')).searchParams.get('id') ?? '')
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 300, recurrent: true, plan: { id: second.id } })
  await reconcilePending(app.payments)
  expect(ids.map((id) => app.fakeBepaid.accounts.subscriptions.get(id)?.subscription.state)).toEqual([
    'canceled',
    'active',
  ])
})

test('a deleted account is not charged again; its payment stays recorded', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan()
  const id = await app.subscribe(anna, plan.id)
  await app.db.delete(users).where(eq(users.id, anna.user.id))
  await reconcilePending(app.payments)
  await app.fakeBepaid.webhookSender.idle()
  expect(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription.state).toBe('canceled')
  expect(await subscriptionOf(id)).toMatchObject({ userId: null, state: 'canceled' })
})

test('subscribers keep their price and get an email about the new price (S10.77)', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ price: 990 })
  const id = await app.subscribe(anna, plan.id)
  await app.owner.call(plansApi.update, { params: { id: plan.id }, body: { price: 1990 } })
  const email = (await app.emailsTo(anna)).at(-1)
  expect(email?.subject).toBe(`Изменились условия тарифа «${plan.name}»`)
  for (const sum of ['9,90', '19,90']) expect(email?.text).toContain(sum)
  expect((await app.balance(anna)).nextCharge?.amount).toBe(990)
  await app.control('renew', { id })
  expect((await app.ordersOf(anna)).map(({ amount }) => amount)).toEqual([990, 990])
})
