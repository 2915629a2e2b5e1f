import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#server/db/schema.ts'
import { testDatabase } from '#server/testing/database.ts'
import { dayOf } from '../billing/days.ts'
import { reconcile } from '../billing/invariants.ts'
import { shiftDay } from '../statistics/figures.ts'
import { readStatistics } from '../statistics/statistics.ts'
import { comparable, countSlowly, readRaw } from '../statistics/testing/slow-statistics.ts'
import { SMALL, seedDemo } from './demo.ts'

const database = await testDatabase()
await seedDemo(database.db, { people: 150, exchanges: 1200 })

test('the ledger of the demo data is consistent to the symbol', async () => {
  expect(await reconcile(database.db)).toEqual([])
})

test('statistics of the demo data equal a direct count of the rows', async () => {
  const raw = await readRaw(database.db)
  const today = dayOf(new Date())
  for (const days of [30, 365]) {
    const from = shiftDay(today, 1 - days)
    const figures = comparable(await readStatistics(database, { from, to: today }))
    expect(rounded(figures)).toEqual(rounded(countSlowly(raw, from, today)))
    expect(Math.min(figures.messages, figures.paid, figures.live, figures.fresh)).toBeGreaterThan(0)
  }
})

/** Floating-point sums differ in the last digits. */
const rounded = (figures: object) =>
  JSON.parse(JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)))

test('demo users were last here when they last asked (S10.1560)', async () => {
  const { rows } = (await database.db.execute(sql`
    select count(*) filter (where last_seen_at < now() - interval '7 days')::int as idle,
      count(*) filter (where last_seen_at > now())::int as ahead,
      count(*) filter (where last_seen_at < (select max(m.created_at) from messages m join threads t on t.id = m.thread_id where t.user_id = users.id and m.role = 'user'))::int as early
    from users`)) as unknown as { rows: { idle: number; ahead: number; early: number }[] }
  expect(rows[0]?.idle).toBeGreaterThan(50)
  expect(rows[0]).toMatchObject({ ahead: 0, early: 0 })
})

test('demo users are marked, and demo data never joins real data', async () => {
  const { rows } = (await database.db.execute(
    sql`select count(*)::int as real from users where name not like 'Демо %' or email not like '%@demo.invalid'`,
  )) as unknown as { rows: { real: number }[] }
  expect(rows[0]?.real).toBe(0)
  await expect(seedDemo(database.db, SMALL)).rejects.toThrow('уже есть')
  await database.db.delete(users)
  await database.db.insert(users).values({ id: 'real', name: 'Мария', email: 'maria@example.test' })
  await expect(seedDemo(database.db, SMALL)).rejects.toThrow('--into-existing')
})
