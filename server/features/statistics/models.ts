import { type RatingFigures, RatingReason } from '#contract/ratings.ts'
import type { ModelFigures, Statistics, Times } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import { type Figures, marginOf, sumsNow } from './figures.ts'

export async function modelNames(db: Db): Promise<Map<string, string>> {
  const rows = await db.select({ id: models.id, name: models.name }).from(models)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Sorted by symbols charged. */
export function modelFigures(figures: Figures, names: ReadonlyMap<string, string>): ModelFigures[] {
  const used = ['answers', 'charged', 'cost'].flatMap((metric) => figures.of(metric).filter(({ now }) => now !== 0))
  const ids = [...new Set(used.map(({ key }) => key))].filter((id) => id !== '')
  return ids.map((id) => oneModel(figures, id, names.get(id) ?? null)).sort((a, b) => b.charged - a.charged)
}

function oneModel(figures: Figures, id: string, name: string | null): ModelFigures {
  const own = ({ key }: { key: string }) => key === id
  const count = (metric: string) => figures.sum(metric, own).now
  const earned = sumsNow(figures.money('earned', own))
  const cost = sumsNow(figures.money('cost', own))
  return {
    id,
    name,
    answers: count('answers'),
    failed: count('failed'),
    input: count('input'),
    output: count('output'),
    charged: count('charged'),
    earned,
    cost,
    margin: marginOf(earned, cost),
    firstToken: timesOf(steps(figures, 'first_token_ms', id)),
    total: timesOf(steps(figures, 'total_ms', id)),
    ratings: ratingFigures(figures.of('ratings').filter(own)),
  }
}

/** Sums of ratings by their detail: `good`, or the reason of a bad one. */
export function ratingFigures(counted: readonly { detail: string; now: number }[]): RatingFigures {
  const countOf = (wanted: string) => counted.find(({ detail }) => detail === wanted)?.now ?? 0
  const reasons = RatingReason.options
    .map((reason) => ({ reason, count: countOf(reason) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return { good: countOf('good'), bad: reasons.reduce((sum, { count }) => sum + count, 0), reasons }
}

function steps(figures: Figures, metric: string, id: string): Map<number, number> {
  const own = figures.of(metric).filter(({ key }) => key === id)
  return new Map(own.map(({ detail, now }) => [Number(detail), now]))
}

/** Errors of models, the most frequent first. */
export function errorsIn(figures: Figures): Statistics['failures'] {
  return figures
    .of('failed')
    .filter(({ now }) => now > 0)
    .map(({ key, detail, now }) => ({ modelId: key, failure: detail, count: now }))
    .sort((a, b) => b.count - a.count)
}

/** Each step of the histogram is 1.2 times the one before; the same as `stat_step` in SQL. */
const STEP = 1.2

/** Percentiles of a histogram: step number → count. */
export function timesOf(steps: ReadonlyMap<number, number>): Times {
  const sorted = [...steps].filter(([, count]) => count > 0).sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  return total === 0 ? null : { p50: percentile(sorted, total * 0.5), p95: percentile(sorted, total * 0.95) }
}

/** Within a step the times are taken as evenly distributed. */
function percentile(steps: [number, number][], rank: number): number {
  let passed = 0
  for (const [step, count] of steps) {
    if (passed + count >= rank) return Math.round(STEP ** (step + (rank - passed) / count))
    passed += count
  }
  return 0
}
