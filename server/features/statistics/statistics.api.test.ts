import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { statisticsApi } from '#contract/statistics.ts'
import {
  bundles,
  modelCalls,
  models,
  orders,
  plans,
  planVersions,
  promoCodes,
  promoUses,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { dayOf, startOfDay } from '../billing/days.ts'
import { grant, spend } from '../billing/ledger.ts'
import { releaseDiscount } from '../promocodes/discount.ts'
import { shiftDay } from './figures.ts'
import { noteSummedDay } from './notes.ts'

let app: TestApp
let owner: SignedIn
let made = 0
const today = dayOf(new Date())
beforeAll(async () => {
  app = await startTestApp({ startSymbols: 1000 })
  owner = await app.signIn('owner@example.test')
  const { db } = app
  await noteSummedDay(db, shiftDay(today, -1))
  await db.insert(models).values({ id: 'm', name: 'Модель', provider: 'x', providerModel: 'm' })
  await db.insert(plans).values({ id: 'p', name: 'План' })
  await db.insert(planVersions).values([
    { id: 'month', planId: 'p', symbols: 900, price: 990, currency: 'BYN', intervalDays: 30 },
    { id: 'season', planId: 'p', current: false, symbols: 900, price: 9000, currency: 'BYN', intervalDays: 90 },
  ])
  await db.insert(bundles).values({ id: 'b', name: 'Пакет', symbols: 1000, price: 10_000, currency: 'BYN' })
})
afterAll(() => app.close())
/** Each test uses days that no other test touches. */
beforeEach(() => {
  made += 1
})

/** Sums the first day again, because the tests put rows into days that are over. */
async function figures(from: string, to = today) {
  await app.db.execute(sql`select stat_sum_day(${from}::date)`)
  return owner.call(statisticsApi.get, { query: { from, to } })
}
const noon = (day: string) => new Date(startOfDay(day).getTime() + 12 * 3_600_000)

async function aSubscription(from: string, values: Partial<typeof subscriptions.$inferInsert> = {}) {
  const id = `s${made}-${Math.random()}`
  await app.db.insert(subscriptions).values({
    id,
    gatewayId: id,
    planVersionId: 'month',
    state: 'active',
    activeTo: noon(shiftDay(today, 20)),
    createdAt: noon(from),
    ...values,
  })
  return id
}

const aCall = (userId: string, values: Partial<typeof modelCalls.$inferInsert>) =>
  app.db
    .insert(modelCalls)
    .values({ kind: 'answer', userHash: sql`stat_user_hash(${userId})`, modelId: 'm', status: 'complete', ...values })

async function aPaidBundle(userId: string, day: string) {
  const id = `o${made}-${Math.random()}`
  await app.db.insert(orders).values({
    id,
    userId,
    kind: 'bundle',
    status: 'paid',
    bundleId: 'b',
    title: 'Пакет',
    symbols: 1000,
    amount: 10_000,
    currency: 'BYN',
    gatewayUid: id,
    createdAt: noon(day),
    paidAt: noon(day),
  })
  await grant(app.db, { key: id, userId, kind: 'bundle', symbols: 1000, orderId: id })
}

test('only an admin sees statistics, and an invalid period is rejected', async () => {
  const user = await app.signIn()
  expect((await user.fetch('/api/statistic')).status).toBe(403)
  const wrong = await owner.fetch('/api/statistic?from=2026-03-02&to=2026-03-01')
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toMatchObject({ message: 'Начало периода позже его конца' })
  expect((await owner.fetch('/api/statistic?from=1990-01-01')).status).toBe(400)
  const { period, before } = await owner.call(statisticsApi.get, { query: {} })
  expect(period).toEqual({ from: shiftDay(today, -29), to: today })
  expect(before).toEqual({ from: shiftDay(today, -59), to: shiftDay(today, -30) })
})

test('MRR counts a third of a plan of three months', async () => {
  const from = shiftDay(today, -400)
  await aSubscription(from)
  await aSubscription(from, { planVersionId: 'season' })
  await aSubscription(from, { activeTo: null, state: 'redirecting' })
  const { subscriptions: result } = await figures(from, shiftDay(from, 4))
  expect(result.live).toEqual({ now: 2, before: 0 })
  expect(result.mrr).toEqual([{ currency: 'BYN', now: 990 + 3000, before: 0 }])
})

test('churn is the share of starting subscriptions that ended', async () => {
  const { live } = (await figures(shiftDay(today, -300), shiftDay(today, -300))).subscriptions
  const start = shiftDay(today, -300)
  for (let i = live.now; i < 8; i++) await aSubscription(start)
  const leaves = shiftDay(today, -280)
  const id = await aSubscription(start, { activeTo: noon(leaves) })
  expect((await figures(shiftDay(today, -290), leaves)).subscriptions.ended.now).toBe(0)
  await app.db
    .update(subscriptions)
    .set({ cancelRequestedAt: noon(shiftDay(today, -285)), state: 'canceled' })
    .where(eq(subscriptions.id, id))
  const { subscriptions: result } = await figures(shiftDay(today, -290), leaves)
  expect(result).toMatchObject({ ended: { now: 1 }, canceled: { now: 1 }, live: { now: 8, before: 9 } })
  expect(result.churn.now).toBeCloseTo(1 / 9)
})

test('conversion counts the new users who have ever paid, each once', async () => {
  const day = shiftDay(today, -200)
  const people = ['c1', 'c2', 'c3', 'c4']
  await app.db
    .insert(users)
    .values(people.map((id) => ({ id, name: id, email: `${id}@example.test`, createdAt: noon(day) })))
  await aPaidBundle('c1', shiftDay(day, 40))
  await aPaidBundle('c1', shiftDay(day, 41))
  const { people: result } = await figures(day, day)
  expect(result).toMatchObject({ fresh: { now: 4 }, converted: { now: 1 }, conversion: { now: 0.25, before: null } })
})

test('a model earns what was paid for its symbols, without gifts', async () => {
  const { user } = await app.signIn()
  const day = shiftDay(today, -150)
  const at = noon(day)
  await aCall(user.id, { isFirstAnswer: true, cost: 400, costCurrency: 'BYN', createdAt: at })
  const answer = { userId: user.id, kind: 'answer', modelId: 'm' } as const
  await spend(app.db, { ...answer, key: `gift-${made}`, symbols: 1000 }, at)
  expect((await figures(day, day)).models).toMatchObject([{ id: 'm', earned: [], margin: [{ amount: -400 }] }])
  await aPaidBundle(user.id, day)
  await spend(app.db, { ...answer, key: `paid-${made}`, symbols: 100 }, at)
  const { models: result, users: top, owed } = await figures(day, day)
  const money = (amount: number) => [{ amount, currency: 'BYN' }]
  expect(result).toMatchObject([
    { name: 'Модель', charged: 1100, earned: money(1000), cost: money(400), margin: money(600) },
  ])
  expect(top).toMatchObject([{ user: { id: user.id }, messages: 1, charged: 1100, margin: money(600) }])
  expect(owed.grants.map(({ kind }) => kind)).toContain('gift')
})

test('past days keep the figures of a deleted account, without its name', async () => {
  const { user } = await app.signIn()
  const day = shiftDay(today, -155)
  await aPaidBundle(user.id, day)
  await spend(app.db, { userId: user.id, kind: 'answer', modelId: 'm', key: `last-${made}`, symbols: 1100 }, noon(day))
  await figures(day, day)
  await app.db.delete(users).where(eq(users.id, user.id))
  const { models: result, users: top } = await owner.call(statisticsApi.get, { query: { from: day, to: day } })
  expect(result).toMatchObject([{ charged: 1100, earned: [{ amount: 1000, currency: 'BYN' }] }])
  expect(top).toMatchObject([{ user: null, charged: 1100 }])
})

test('costs of images, recordings and titles reduce the margin only', async () => {
  const { user } = await app.signIn()
  const day = shiftDay(today, -120)
  for (const [i, kind] of (['image', 'transcription', 'title'] as const).entries())
    await aCall(user.id, { kind, status: null, cost: 10 + i, costCurrency: 'BYN', createdAt: noon(day) })
  const { models: result, work } = await figures(day, day)
  expect(result).toMatchObject([{ answers: 0, cost: [{ amount: 33, currency: 'BYN' }] }])
  expect(work).toMatchObject({ messages: { now: 0 }, answers: { now: 0 } })
})

test('a discount returned later no longer counts as a use', async () => {
  const { user } = await app.signIn()
  const day = shiftDay(today, -110)
  await app.db.insert(promoCodes).values({ id: 'code', codeHash: 'code', hint: 'DE', discountPercent: 10, uses: 1 })
  await app.db.insert(promoUses).values({ promoId: 'code', userId: user.id, orderId: 'unpaid', createdAt: noon(day) })
  expect((await figures(day, day)).promo.uses.now).toBe(1)
  await releaseDiscount(app.db, 'unpaid')
  const { promo } = await owner.call(statisticsApi.get, { query: { from: day, to: day } })
  expect(promo.uses.now).toBe(0)
})

test('the statistics show the result and the time of the last reconciliation (S10.37)', async () => {
  expect((await figures(today)).ledger).toBeNull()
  expect(await owner.call(statisticsApi.reconcile, {})).toMatchObject({ ok: true })
  const { ledger } = await figures(today)
  expect(ledger).toMatchObject({ ok: true, problems: 0 })
  expect(Date.now() - Date.parse(ledger?.at ?? '')).toBeLessThan(60_000)
})
