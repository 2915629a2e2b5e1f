import { lowBalance, type SingleSubscription } from '#contract/billing.ts'
import type { MeterTone } from '#web/ui/meter.tsx'

type Level = Pick<SingleSubscription, 'availableTokens' | 'capacity'>

export function balanceTone(balance: Level): MeterTone {
  const warning = lowBalance(balance)
  if (balance.availableTokens <= 0 || warning === 0.05) return 'danger'
  return warning === 0.2 ? 'warning' : 'calm'
}

export function balanceShare({ availableTokens, capacity }: Level): number {
  return capacity > 0 ? Math.min(availableTokens / capacity, 1) : 0
}
