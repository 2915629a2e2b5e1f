import { expect, test } from 'vitest'
import { axisMaximum, nextIndex } from './day-chart.tsx'

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [7, 8],
  [5, 5],
  [61, 80],
  [1999, 2000],
  [0.032, 0.04],
])('an axis for %d ends at %d', (most, end) => {
  expect(axisMaximum(most)).toBeCloseTo(end)
})

test('keys move within the days and stop at the ends', () => {
  expect(nextIndex('ArrowLeft', 0, 7)).toBe(0)
  expect(nextIndex('ArrowRight', 6, 7)).toBe(6)
  expect(nextIndex('Home', 3, 7)).toBe(0)
  expect(nextIndex('End', 3, 7)).toBe(6)
  expect(nextIndex('a', 3, 7)).toBe(3)
})
