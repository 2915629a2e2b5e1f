import { expect, test } from 'vitest'
import { daysOf, periodOf, shiftDay } from './figures.ts'

const now = new Date('2026-03-01T20:59:59Z')

test('today is the day in Minsk: it begins at 21:00 UTC', () => {
  expect(periodOf({}, now).to).toBe('2026-03-01')
  expect(periodOf({}, new Date('2026-03-01T21:00:00Z')).to).toBe('2026-03-02')
})

test('future days are cut off, and the previous period has equal days', () => {
  expect(periodOf({ from: '2026-02-26', to: '2026-12-31' }, now)).toEqual({
    from: '2026-02-26',
    to: '2026-03-01',
    days: 4,
    before: { from: '2026-02-22', to: '2026-02-25' },
  })
})

test('days follow each other through leap years and clock changes', () => {
  expect(shiftDay('2028-02-28', 1)).toBe('2028-02-29')
  expect(daysOf({ from: '2026-03-28', days: 3 })).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  expect(daysOf({ from: '2026-10-24', days: 3 })).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
})
