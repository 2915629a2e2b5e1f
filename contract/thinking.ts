import type { Thinking } from './models.ts'

/**
 * How many symbols a model thinks before an answer, roughly, for the price before sending. Past answers do not help,
 * because their thinking level is not recorded.
 */
export const USUAL_THOUGHT: Record<Thinking, { low: number; high: number }> = {
  none: { low: 0, high: 0 },
  usual: { low: 0, high: 2000 },
  more: { low: 1000, high: 6000 },
  most: { low: 3000, high: 20_000 },
}
