import type { StatisticLabel } from '#contract/statistic-labels.ts'
import type { Pair, Share, SumPair } from '#contract/statistics.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { type Delta, deltaOf, deltaOfShare, formatShare } from './delta.ts'
import type { Better } from './delta-line.tsx'

/** A figure ready to be shown: its name, and a line for each currency where it is money. */
export interface Figure {
  word: StatisticLabel
  better: Better
  lines: { text: string; delta: Delta | null }[]
}

const round = (n: number) => (n >= 100 ? Math.round(n) : Math.round(n * 10) / 10)

export function countFigure(word: StatisticLabel, pair: Pair, better: Better = 'more'): Figure {
  return { word, better, lines: [{ text: formatNumber(round(pair.now)), delta: deltaOf(pair) }] }
}

export function shareFigure(word: StatisticLabel, share: Share, better: Better = 'more'): Figure {
  return { word, better, lines: [{ text: formatShare(share.now), delta: deltaOfShare(share) }] }
}

export function moneyFigure(word: StatisticLabel, sums: SumPair[], better: Better = 'more'): Figure {
  const lines = sums.map(({ currency, now, before }) => ({
    text: formatMoney({ amount: now, currency }),
    delta: deltaOf({ now, before }),
  }))
  return { word, better, lines: lines.length > 0 ? lines : [{ text: '0', delta: null }] }
}
