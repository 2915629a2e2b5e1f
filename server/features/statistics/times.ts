import type { Times } from '#contract/statistics.ts'

/** Each step of the histogram ends a fifth higher than it begins; see `stat_step`. */
const STEP = 1.2

/** Percentiles out of a histogram: number of the step → how many fell into it. */
export function timesOf(steps: ReadonlyMap<number, number>): Times {
  const sorted = [...steps].filter(([, count]) => count > 0).sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  return total === 0 ? null : { p50: percentile(sorted, total * 0.5), p95: percentile(sorted, total * 0.95) }
}

/** Within a step the times are taken as evenly spread. */
function percentile(steps: [number, number][], rank: number): number {
  let passed = 0
  for (const [step, count] of steps) {
    if (passed + count >= rank) return Math.round(STEP ** (step + (rank - passed) / count))
    passed += count
  }
  return 0
}
