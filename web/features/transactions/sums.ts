import type { Money } from '#contract/billing.ts'
import { formatMoney } from '#web/lib/format.ts'

/** One figure with the sums of all currencies; no figure when all are zero. */
export function sums(name: string, money: Money[]): { name: string; value: string }[] {
  const moved = money.filter(({ amount }) => amount > 0).map(formatMoney)
  return moved.length > 0 ? [{ name, value: moved.join(' · ') }] : []
}
