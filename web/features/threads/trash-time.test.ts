import { expect, test } from 'vitest'
import { trashTime } from './trash-time.ts'

const now = new Date('2026-10-31T12:00:00.000Z')

test('a thread that was just deleted has all its days', () => {
  expect(trashTime('2026-10-31T12:00:00.000Z', now)).toBe('Исчезнет через 30 дней')
  expect(trashTime('2026-10-31T11:00:00.000Z', now)).toBe('Исчезнет через 30 дней')
})

test('the days that are left are counted down to the last one', () => {
  expect(trashTime('2026-10-22T12:00:00.000Z', now)).toBe('Исчезнет через 21 день')
  expect(trashTime('2026-10-03T12:00:00.000Z', now)).toBe('Исчезнет через 2 дня')
  expect(trashTime('2026-10-02T12:00:00.000Z', now)).toBe('Исчезнет в течение дня')
  expect(trashTime('2026-09-01T11:00:00.000Z', now)).toBe('Исчезнет в течение дня')
})
