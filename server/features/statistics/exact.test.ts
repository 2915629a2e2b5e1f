import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statActiveDays, statDays, statMoneyDays, threads, users } from '#server/db/schema.ts'
import { startTestApp, type TestApp } from '#server/testing/app.ts'
import { dayOf, startOfDay } from '../billing/days.ts'
import { shiftDay } from './figures.ts'
import { foldFigures, rebuildFigures, scheduleStatistics } from './rollups.ts'
import { readStatistics } from './statistics.ts'
import { liveRandomly, randomFrom } from './testing/random-life.ts'
import { active, comparable, countSlowly, type Raw, readRaw } from './testing/slow-statistics.ts'

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
const periods = [
  [shiftDay(today, -29), today],
  [shiftDay(today, -6), today],
  [today, today],
  [shiftDay(today, -70), shiftDay(today, -31)],
  [shiftDay(today, -40), shiftDay(today, -33)],
] as const

test('the sums equal a slow count of the raw rows in any period (S1.35)', { tags: 'slow' }, async () => {
  for (const [from, to] of periods) {
    expect(comparable(await ask(from, to)), `${from} to ${to}`).toEqual(countSlowly(raw, from, to))
  }
  const all = comparable(await ask(shiftDay(today, -70), today))
  expect(Math.min(all.messages, all.failed, all.paid, all.renewals, all.ended, all.promoOrders)).toBeGreaterThan(0)
  expect(Object.keys(all.earnedBy).length).toBeGreaterThan(1)
})

test('the period before has the same number of days and ends where the period begins', async () => {
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

test('users are counted once in a day, a week and a month, however often they came', async () => {
  const { people: counted, series } = await ask(shiftDay(today, -9), today)
  expect(counted.weekly.now).toBe(active(raw, shiftDay(today, -6), today))
  expect(counted.monthly.now).toBe(active(raw, shiftDay(today, -29), today))
  expect(counted.monthly.before).toBe(active(raw, shiftDay(today, -39), shiftDay(today, -10)))
  for (const { day, active: there } of series) expect(there).toBe(active(raw, day, day))
  expect(counted.daily.now).toBeCloseTo(series.reduce((sum, day) => sum + day.active, 0) / 10)
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

const rows = async () => {
  await foldFigures(app.db)
  const days = await app.db
    .select()
    .from(statDays)
    .where(sql`${statDays.value} <> 0`)
    .orderBy(statDays.metric, statDays.day, statDays.key, statDays.detail)
  const active = await app.db.select().from(statActiveDays).orderBy(statActiveDays.day, statActiveDays.who)
  const money = await app.db
    .select()
    .from(statMoneyDays)
    .where(sql`abs(${statMoneyDays.earned}) + abs(${statMoneyDays.cost}) > 0.000001`)
    .orderBy(statMoneyDays.day, statMoneyDays.who, statMoneyDays.currency)
  const cents = money.map((row) => ({ ...row, earned: row.earned.toFixed(6), cost: row.cost.toFixed(6) }))
  return { days, active, cents }
}

test('rebuilt sums equal the sums of the changes', async () => {
  const before = await rows()
  await rebuildFigures(app.db)
  expect(await rows()).toEqual(before)
})

test('an installation older than its statistics fills them from its rows, once', { tags: 'slow' }, async () => {
  const before = await rows()
  const names: string[] = []
  const jobs = { every: async (name: string) => void names.push(name), soon: async () => {}, close: async () => {} }
  await app.db.execute(sql`truncate stat_days, stat_active_days, stat_money_days, stat_notes`)
  await scheduleStatistics(jobs, app.db)
  expect(await rows()).toEqual(before)
  await app.db.execute(sql`truncate stat_days`)
  await scheduleStatistics(jobs, app.db)
  expect((await rows()).days).toEqual([])
  expect(new Set(names)).toEqual(new Set(['check-ledger']))
  await rebuildFigures(app.db)
})

test('folding twice, or at the same time, counts nothing twice', async () => {
  const before = await rows()
  await Promise.all([foldFigures(app.db), foldFigures(app.db), foldFigures(app.db)])
  expect(await rows()).toEqual(before)
})

test('deleted rows and deleted users stay counted', async () => {
  const before = comparable(await ask(shiftDay(today, -70), today))
  const [gone, tidy] = people
  await app.db.delete(threads).where(eq(threads.userId, tidy ?? ''))
  await app.db.delete(users).where(eq(users.id, gone ?? ''))
  const { users: top, ...after } = await readStatistics(app, { from: shiftDay(today, -70), to: today })
  expect(comparable({ ...after, users: top })).toEqual(before)
  expect(top.find(({ user }) => user === null)).toBeDefined()
  expect(top.every(({ user }) => user?.id !== gone)).toBe(true)
})

test('days in SQL begin when days in TypeScript do', async () => {
  const midnight = startOfDay('2026-03-01')
  const moments = [-1, 0, 1, 43_200_000, 86_399_999, 86_400_000].map((ms) => new Date(midnight.getTime() + ms))
  for (const moment of [...moments, new Date('2026-03-29T00:30:00Z'), new Date('2026-10-25T00:30:00Z')]) {
    const { rows } = (await app.db.execute(
      sql`select stat_day(${moment.toISOString()}::timestamptz)::text as day`,
    )) as unknown as { rows: { day: string }[] }
    expect(rows[0]?.day).toBe(dayOf(moment))
  }
})
