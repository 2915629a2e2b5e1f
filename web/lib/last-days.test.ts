import { expect, test } from 'vitest'
import { lastDays } from './last-days.ts'

test('every day has an entry, and a day without spending is zero', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  expect(lastDays([{ day: '2026-11-14', symbols: 500 }], 3, now)).toEqual([
    { day: '2026-11-13', symbols: 0 },
    { day: '2026-11-14', symbols: 500 },
    { day: '2026-11-15', symbols: 0 },
  ])
})

test('a day starts at midnight in Minsk and Moscow', () => {
  const lastDay = (now: string) => lastDays([], 1, Date.parse(now))[0]?.day
  expect(lastDay('2026-11-15T20:59:00Z')).toBe('2026-11-15')
  expect(lastDay('2026-11-15T21:00:00Z')).toBe('2026-11-16')
})
