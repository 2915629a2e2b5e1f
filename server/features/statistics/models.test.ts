import { expect, test } from 'vitest'
import { timesOf } from './models.ts'

/** The same as `stat_step` in SQL. */
function histogram(times: number[]): Map<number, number> {
  const steps = new Map<number, number>()
  for (const ms of times) {
    const step = Math.floor(Math.log(Math.max(ms, 1)) / Math.log(1.2))
    steps.set(step, (steps.get(step) ?? 0) + 1)
  }
  return steps
}

test('percentiles of the histogram are within a tenth of the true values', () => {
  const times = Array.from({ length: 1000 }, (_, i) => Math.round(100 * 1.005 ** i))
  const result = timesOf(histogram(times))
  expect(Math.abs((result?.p50 ?? 0) / (times[499] ?? 1) - 1)).toBeLessThan(0.1)
  expect(Math.abs((result?.p95 ?? 0) / (times[949] ?? 1) - 1)).toBeLessThan(0.1)
})

test('without answers there are no percentiles', () => {
  expect(timesOf(new Map())).toBeNull()
  expect(timesOf(new Map([[3, 0]]))).toBeNull()
})

test('a slow answer among many fast answers does not move the median', () => {
  const result = timesOf(histogram([...Array.from({ length: 99 }, () => 200), 60_000]))
  expect(result?.p50).toBeLessThan(240)
  expect(result?.p95).toBeLessThan(240)
})
