import type { Pair, Share } from '#contract/statistics.ts'
import { formatNumber } from '#web/lib/format.ts'

export interface Delta {
  direction: 'up' | 'down' | 'same'
  words: string
}

const ONE_DIGIT = { maximumFractionDigits: 1 }
const tenth = new Intl.NumberFormat('ru-RU', ONE_DIGIT)

/** How a figure stands beside the one before it; null where there is nothing to compare. */
export function deltaOf({ now, before }: Pair): Delta | null {
  if (now === 0 && before === 0) return null
  if (before <= 0) return { direction: 'up', words: 'раньше не было' }
  if (now === before) return { direction: 'same', words: 'столько же' }
  const direction = now > before ? 'up' : 'down'
  const word = now > before ? 'больше' : 'меньше'
  if (now >= before * 10) return { direction, words: `в ${formatNumber(Math.round(now / before))} раз больше` }
  const percent = (Math.abs(now - before) / before) * 100
  return percent < 0.05
    ? { direction: 'same', words: 'почти столько же' }
    : { direction, words: `на ${tenth.format(percent)} % ${word}` }
}

/** Shares differ in points, not in percents of percents. */
export function deltaOfShare({ now, before }: Share): Delta | null {
  if (now === null || before === null) return null
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return { direction: 'same', words: 'столько же' }
  return {
    direction: points > 0 ? 'up' : 'down',
    words: `на ${tenth.format(Math.abs(points))} п. п. ${points > 0 ? 'больше' : 'меньше'}`,
  }
}

export const formatShare = (share: number | null) => (share === null ? '—' : `${tenth.format(share * 100)} %`)

export function formatMs(ms: number): string {
  return ms < 1000 ? `${formatNumber(Math.round(ms / 10) * 10)} мс` : `${tenth.format(ms / 1000)} с`
}
