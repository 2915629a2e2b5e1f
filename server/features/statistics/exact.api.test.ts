import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelCalls, orders, reversals, subscriptions, users } from '#server/db/schema.ts'
import { startTestApp, type TestApp } from '#server/testing/app.ts'
import { dayOf, startOfDay } from '../billing/days.ts'
import { shiftDay } from './figures.ts'
import { readSummedDay } from './notes.ts'
import { readStatistics } from './statistics.ts'
import { sumAllDays, sumFinishedDays, sumOpenDays } from './sums.ts'
import { liveRandomly, randomFrom } from './testing/random-life.ts'
import { active, comparable, countSlowly, type Raw, readRaw, usageOf } from './testing/slow-statistics.ts'

let app: TestApp
let raw: Raw
const today = dayOf(new Date())
let people: string[]
beforeAll(async () => {
  app = await startTestApp()
  people = (await liveRandomly(app.db, randomFrom(1), 140)).people
  raw = await readRaw(app.db)
})
afterAll(() => app.close())

const ask = (from: string, to: string) => readStatistics(app, { from, to })
const all = async () => comparable(await ask(shiftDay(today, -70), today))
const periods = [
  [shiftDay(today, -29), today],
  [shiftDay(today, -6), today],
  [today, today],
  [shiftDay(today, -70), shiftDay(today, -31)],
  [shiftDay(today, -40), shiftDay(today, -33)],
] as const

test('the figures equal a slow count of the raw rows (S1.29)', async () => {
  for (const [from, to] of periods) {
    expect(comparable(await ask(from, to)), `${from} to ${to}`).toEqual(countSlowly(raw, from, to))
  }
  const figures = await all()
  const { messages, failed, paid, renewals, ended, promoOrders } = figures
  expect(Math.min(messages, failed, paid, renewals, ended, promoOrders)).toBeGreaterThan(0)
  expect(Object.keys(figures.earnedBy).length).toBeGreaterThan(1)
})

test('the previous period has equal days and ends where this begins', async () => {
  const { before, people: counted, work } = await ask(shiftDay(today, -9), today)
  expect(before).toEqual({ from: shiftDay(today, -19), to: shiftDay(today, -10) })
  const slow = countSlowly(raw, before.from, before.to)
  expect([counted.active.before, counted.fresh.before, work.messages.before, work.charged.before]).toEqual([
    slow.active,
    slow.fresh,
    slow.messages,
    slow.charged,
  ])
})

test('users are counted once per day, week and month', async () => {
  const { people: counted, series } = await ask(shiftDay(today, -9), today)
  expect(counted.weekly.now).toBe(active(raw, shiftDay(today, -6), today))
  expect(counted.monthly.now).toBe(active(raw, shiftDay(today, -29), today))
  expect(counted.weekly.before).toBe(active(raw, shiftDay(today, -16), shiftDay(today, -10)))
  expect(counted.monthly.before).toBe(active(raw, shiftDay(today, -39), shiftDay(today, -10)))
  for (const { day, active: there } of series) expect(there).toBe(active(raw, day, day))
  expect(counted.daily.now).toBeCloseTo(series.reduce((sum, day) => sum + day.active, 0) / 10)
})

test('the users whose answers cost most are listed with their sums', async () => {
  const from = shiftDay(today, -29)
  const total = (cost: Record<string, number>) => Object.values(cost).reduce((sum, amount) => sum + amount, 0)
  const slow = raw.users.map(({ id }) => ({ id, ...usageOf(raw, id, from, today) }))
  const costly = slow.filter(({ cost }) => total(cost) > 0)
  const expected = costly.sort((a, b) => total(b.cost) - total(a.cost)).slice(0, 20)
  const { users: top } = await ask(from, today)
  expect(top.map(({ user }) => user?.id)).toEqual(expected.map(({ id }) => id))
  for (const [i, { messages, charged, cost }] of top.entries()) {
    expect({ messages, charged }).toEqual({ messages: expected[i]?.messages, charged: expected[i]?.charged })
    for (const { currency, amount } of cost) expect(amount).toBeCloseTo(expected[i]?.cost[currency] ?? 0)
  }
})

test('the days of the chart add up to the figures above it', async () => {
  const { series, work, money, subscriptions } = await ask(shiftDay(today, -29), today)
  const sum = (of: (day: (typeof series)[number]) => number) => series.reduce((all, day) => all + of(day), 0)
  expect(series).toHaveLength(30)
  expect(sum(({ messages }) => messages)).toBe(work.messages.now)
  expect(sum(({ charged }) => charged)).toBe(work.charged.now)
  expect(sum(({ unpaid }) => unpaid)).toBe(money.declined.now)
  expect(sum(({ revenue }) => revenue.reduce((all, { amount }) => all + amount, 0))).toBe(
    money.revenue.reduce((all, { now }) => all + now, 0),
  )
  expect(series.at(-1)?.subscribers).toBe(subscriptions.live.now)
})

test('late payments, refunds and cancellations change the days that they concern', async () => {
  const { db } = app
  const before = await all()
  const [unpaid] = await db.select().from(orders).where(isNull(orders.paidAt)).limit(1)
  const [paid] = await db.select().from(orders).where(isNotNull(orders.paidAt)).limit(1)
  if (!unpaid || !paid) throw new Error('No orders')
  const late = { status: 'paid', gatewayUid: 'late', paidAt: unpaid.createdAt } as const
  await db.update(orders).set(late).where(eq(orders.id, unpaid.id))
  await db.insert(reversals).values({
    uid: 'late-refund',
    parentUid: paid.gatewayUid ?? '',
    kind: 'chargeback',
    amount: 7,
    currency: 'RUB',
    createdAt: paid.paidAt ?? new Date(),
  })
  await db
    .update(subscriptions)
    .set({ cancelRequestedAt: startOfDay(shiftDay(today, -3)) })
    .where(and(isNotNull(subscriptions.activeTo), eq(subscriptions.state, 'active')))
  raw = await readRaw(db)
  // A first payment counts when its symbols are given, which this test leaves out.
  const { converted: _, ...after } = await all()
  expect(after.paid).toBe(before.paid + 1)
  expect(after.canceled).toBeGreaterThan(before.canceled)
  const { converted: __, ...slow } = countSlowly(raw, shiftDay(today, -70), today)
  expect(after).toEqual(slow)
})

test('a finished day is summed once, and today at each reading', async () => {
  const call = { kind: 'answer', userHash: 1n, modelId: 'a', status: 'complete', isFirstAnswer: true } as const
  const { messages } = await all()
  await app.db.insert(modelCalls).values({ ...call, createdAt: startOfDay(shiftDay(today, -5)) })
  expect((await all()).messages).toBe(messages)
  await app.db.insert(modelCalls).values(call)
  expect((await all()).messages).toBe(messages + 1)
  await Promise.all([sumOpenDays(app.db), sumOpenDays(app.db), sumFinishedDays(app.db)])
  expect((await all()).messages).toBe(messages + 1)
})

test('days become final minutes after they end, also after a downtime', async () => {
  const midnight = startOfDay(today, 1).getTime()
  await sumFinishedDays(app.db, new Date(midnight + 5 * 60_000))
  expect(await readSummedDay(app.db)).toBe(shiftDay(today, -1))
  await sumFinishedDays(app.db, new Date(midnight + 11 * 60_000))
  expect(await readSummedDay(app.db)).toBe(today)
  await sumFinishedDays(app.db, new Date(midnight + 3.5 * 86_400_000))
  expect(await readSummedDay(app.db)).toBe(shiftDay(today, 3))
  await sumAllDays(app.db, new Date(midnight - 3_600_000))
  expect(await readSummedDay(app.db)).toBe(shiftDay(today, -1))
})

test('deleted users stay counted on past days, without names', async () => {
  const yesterday = shiftDay(today, -1)
  const figures = async () => readStatistics(app, { from: shiftDay(today, -70), to: yesterday })
  const before = comparable(await figures())
  const [gone] = people
  await app.db.delete(users).where(eq(users.id, gone ?? ''))
  const after = await figures()
  expect(comparable(after)).toEqual(before)
  expect(after.users.find(({ user }) => user === null)).toBeDefined()
  expect(after.users.every(({ user }) => user?.id !== gone)).toBe(true)
})

test('days in SQL begin when days in TypeScript do', async () => {
  const midnight = startOfDay('2026-03-01')
  const moments = [-1, 0, 1, 43_200_000, 86_399_999, 86_400_000].map((ms) => new Date(midnight.getTime() + ms))
  for (const moment of [...moments, new Date('2026-03-29T00:30:00Z'), new Date('2026-10-25T00:30:00Z')]) {
    const { rows } = (await app.db.execute(
      sql`select d::text as day, stat_day_start(d) as start from money_day(${moment.toISOString()}::timestamptz) d`,
    )) as unknown as { rows: { day: string; start: string }[] }
    expect(rows[0]?.day).toBe(dayOf(moment))
    expect(new Date(rows[0]?.start ?? '')).toEqual(startOfDay(dayOf(moment)))
  }
})
