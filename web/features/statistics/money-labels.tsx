import type { Sum } from '#contract/statistics.ts'
import { formatMoney } from '#web/lib/format.ts'

/** Sums of several currencies, a line each; nothing is a dash. */
export function Sums({ sums }: { sums: Sum[] }) {
  if (sums.length === 0) return '—'
  return sums.map((sum) => (
    <span key={sum.currency} className="block whitespace-nowrap">
      {formatMoney(sum)}
    </span>
  ))
}
