import { expect, test } from 'vitest'
import { deltaOf, deltaOfShare, formatMs, formatShare } from './figure.ts'

test.each([
  [120, 100, 'up', 'на 20 % больше'],
  [95, 100, 'down', 'на 5 % меньше'],
  [100, 100, 'same', 'столько же'],
  [1000, 100, 'up', 'в 10 раз больше'],
  [5, 0, 'up', 'раньше не было'],
  [0, 4, 'down', 'на 100 % меньше'],
  [100_001, 100_000, 'same', 'почти столько же'],
])('%d after %d: %s, %s', (now, before, direction, words) => {
  expect(deltaOf({ now, before })).toEqual({ direction, text: words })
})

test('zero compared with zero has no change', () => {
  expect(deltaOf({ now: 0, before: 0 })).toBeNull()
  expect(deltaOfShare({ now: 0.5, before: null })).toBeNull()
})

test('shares are compared in points', () => {
  expect(deltaOfShare({ now: 0.125, before: 0.1 })).toEqual({ direction: 'up', text: 'на 2,5 п. п. больше' })
  expect(formatShare(0.184646)).toBe('18,5 %')
  expect(formatShare(null)).toBe('—')
})

test('durations are written in words', () => {
  expect(formatMs(662)).toBe('660 мс')
  expect(formatMs(4729)).toBe('4,7 с')
})
