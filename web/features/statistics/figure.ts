import type { StatisticLabel } from '#contract/statistic-labels.ts'
import type { Pair, Share, SumPair } from '#contract/statistics.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { once } from '#web/lib/once.ts'

/** Which direction is good; null if neither. */
export type Better = 'more' | 'less' | null

export interface Delta {
  direction: 'up' | 'down' | 'same'
  text: string
}

const ONE_DIGIT = { maximumFractionDigits: 1 }
const tenth = once(() => new Intl.NumberFormat('ru-RU', ONE_DIGIT))

/** The change against the previous period; null if both are zero. */
export function deltaOf({ now, before }: Pair): Delta | null {
  if (now === 0 && before === 0) return null
  if (before <= 0) return { direction: 'up', text: 'раньше не было' }
  if (now === before) return { direction: 'same', text: 'столько же' }
  const direction = now > before ? 'up' : 'down'
  const word = now > before ? 'больше' : 'меньше'
  if (now >= before * 10) return { direction, text: `в ${formatNumber(Math.round(now / before))} раз больше` }
  const percent = (Math.abs(now - before) / before) * 100
  return percent < 0.05
    ? { direction: 'same', text: 'почти столько же' }
    : { direction, text: `на ${tenth().format(percent)} % ${word}` }
}

/** Shares are compared in percentage points. */
export function deltaOfShare({ now, before }: Share): Delta | null {
  if (now === null || before === null) return null
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return { direction: 'same', text: 'столько же' }
  return {
    direction: points > 0 ? 'up' : 'down',
    text: `на ${tenth().format(Math.abs(points))} п. п. ${points > 0 ? 'больше' : 'меньше'}`,
  }
}

export const formatShare = (share: number | null) => (share === null ? '—' : `${tenth().format(share * 100)} %`)

export function formatMs(ms: number): string {
  return ms < 1000 ? `${formatNumber(Math.round(ms / 10) * 10)} мс` : `${tenth().format(ms / 1000)} с`
}

/** A figure as text; money has a line per currency. */
export interface Figure {
  name: StatisticLabel
  better: Better
  lines: { text: string; delta: Delta | null }[]
}

const round = (n: number) => (n >= 100 ? Math.round(n) : Math.round(n * 10) / 10)

export function countFigure(name: StatisticLabel, pair: Pair, better: Better = 'more'): Figure {
  return { name, better, lines: [{ text: formatNumber(round(pair.now)), delta: deltaOf(pair) }] }
}

export function shareFigure(name: StatisticLabel, share: Share, better: Better = 'more'): Figure {
  return { name, better, lines: [{ text: formatShare(share.now), delta: deltaOfShare(share) }] }
}

export function moneyFigure(name: StatisticLabel, sums: SumPair[], better: Better = 'more'): Figure {
  const lines = sums.map(({ currency, now, before }) => ({
    text: formatMoney({ amount: now, currency }),
    delta: deltaOf({ now, before }),
  }))
  return { name, better, lines: lines.length > 0 ? lines : [{ text: '0', delta: null }] }
}
