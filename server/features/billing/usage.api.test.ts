import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { testApp } from '#server/testing/app.ts'
import { dayOf, startOfDay } from './days.ts'
import { reconcile } from './invariants.ts'
import { grant, spend, withdraw } from './ledger.ts'

const app = await testApp({ startSymbols: 0 })
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

test('a day begins at 21:00 UTC, and moments have a single day', () => {
  expect(dayOf(new Date('2026-02-28T20:59:59.999Z'))).toBe('2026-02-28')
  expect(dayOf(new Date('2026-02-28T21:00:00Z'))).toBe('2026-03-01')
  expect(startOfDay('2026-03-01').toISOString()).toBe('2026-02-28T21:00:00.000Z')
  const moments = fc.date({ min: new Date('2000-01-02'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (moment) => {
      const day = dayOf(moment)
      expect(startOfDay(day).getTime()).toBeLessThanOrEqual(moment.getTime())
      expect(startOfDay(day, 1).getTime()).toBeGreaterThan(moment.getTime())
    }),
  )
})

test('usage lists the spending of each Minsk day, including quiet days', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const today = dayOf(new Date())
  const morning = startOfDay(today).getTime()
  for (const { user } of [anna, boris]) {
    const first = new Date(morning - 9 * 86_400_000)
    await grant(app.db, { userId: user.id, kind: 'gift', symbols: 10_000, key: `start-of:${user.id}` }, first)
  }
  const charge = (who: string, symbols: number, at: number) =>
    spend(app.db, { key: `spend:${who}:${at}`, userId: who, kind: 'answer', symbols }, new Date(at))
  await charge(anna.user.id, 500, morning - 3 * 86_400_000)
  await charge(anna.user.id, 7, morning - 1)
  await charge(anna.user.id, 30, morning)
  await charge(anna.user.id, 3, morning + 1)
  await charge(boris.user.id, 1000, morning + 2)
  await withdraw(app.db, { key: 'not a spend', userId: anna.user.id, symbols: 50, note: 'ошибка' })
  expect(await anna.call(billingApi.usage, { query: { days: 3 } })).toEqual([
    { day: dayOf(startOfDay(today, -2)), symbols: 0 },
    { day: dayOf(startOfDay(today, -1)), symbols: 7 },
    { day: today, symbols: 33 },
  ])
  expect(await anna.call(billingApi.usage, { query: {} })).toHaveLength(30)
})

test('a number of days outside 1 to 366 is 400', async () => {
  const anna = await app.signIn()
  for (const days of ['0', '367', '1.5', 'много']) {
    expect((await anna.fetch(`/api/profile/usage?days=${days}`)).status).toBe(400)
  }
})
