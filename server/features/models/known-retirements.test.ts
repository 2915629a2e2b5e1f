import { expect, test } from 'vitest'
import { dayOf } from '../billing/days.ts'
import { daysUntil, isRetired, isSameModel, knownRetirement, noticeStep } from './known-retirements.ts'

test.each([
  ['2026-11-14', null],
  ['2026-11-15', 60],
  ['2026-12-30', 60],
  ['2026-12-31', 14],
  ['2027-01-13', 14],
  ['2027-01-14', null],
  ['2027-02-01', null],
] as const)('the notice on %s for an end on 14 January is %s', (today, step) => {
  expect(noticeStep(today, '2027-01-14')).toBe(step)
})

test('the last day begins at midnight in Minsk, not in UTC (S10.362)', () => {
  const over = (now: string) => isRetired(dayOf(new Date(now)), '2027-01-14')
  expect(over('2027-01-13T20:59:59Z')).toBe(false)
  expect(over('2027-01-13T21:00:00Z')).toBe(true)
  expect(over('2027-03-01T00:00:00Z')).toBe(true)
})

test('days are counted over months, leap years and changes of the clock', () => {
  expect(daysUntil('2028-02-28', '2028-03-01')).toBe(2)
  expect(daysUntil('2026-10-24', '2026-10-26')).toBe(2)
  expect(daysUntil('2027-01-15', '2027-01-14')).toBe(-1)
})

test('known models have a day and a successor, with any vendor prefix', () => {
  expect(knownRetirement('gpt-4.1-mini')).toMatchObject({ on: '2027-01-14', successor: 'gpt-6-luna' })
  expect(knownRetirement('openai/gpt-4o')).toMatchObject({ on: '2027-01-14', successor: 'gpt-6-luna' })
  expect(knownRetirement('gpt-5')).toMatchObject({ on: '2026-12-11', successor: 'gpt-5.6-sol' })
  expect(knownRetirement('whisper-1')).toMatchObject({ on: '2027-02-26', successor: 'gpt-transcribe' })
  expect(knownRetirement('gpt-6-luna')).toBeNull()
  expect(isSameModel('openai/gpt-6-luna', 'gpt-6-luna')).toBe(true)
})
