import { expect, test } from 'vitest'
import { formatCountdown } from '#web/lib/countdown.ts'
import { secondsLeft } from './email-cooldown.ts'

const sentAt = 1_000_000

test('an email can be requested again after 60 seconds', () => {
  expect(secondsLeft(sentAt, sentAt)).toBe(60)
  expect(secondsLeft(sentAt, sentAt + 1)).toBe(60)
  expect(secondsLeft(sentAt, sentAt + 1000)).toBe(59)
  expect(secondsLeft(sentAt, sentAt + 59_999)).toBe(1)
  expect(secondsLeft(sentAt, sentAt + 60_000)).toBe(0)
  expect(secondsLeft(sentAt, sentAt + 3_600_000)).toBe(0)
})

test('a clock set back does not make the wait longer', () => {
  expect(secondsLeft(sentAt, sentAt - 3_600_000)).toBe(60)
})

test.each([
  [60, '1:00'],
  [59, '0:59'],
  [9, '0:09'],
  [0, '0:00'],
])('%d seconds are written %s', (seconds, text) => {
  expect(formatCountdown(seconds)).toBe(text)
})
