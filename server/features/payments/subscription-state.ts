import { endedStates } from '#server/db/schema.ts'
import type { GatewaySubscription } from '#server/payments/gateway.ts'

interface Known {
  state: string
  paidBillingCycles: number
}

export const isEnded = (state: string) => endedStates.some((ended) => ended === state)
export const isFailing = (state: string) => state === 'failed_attempt' || state === 'rescuing'
const isPaidFor = (state: string) => state === 'active' || state === 'trial'

/** How far a period has come: being paid, paid, failing to renew, over. */
function stage(state: string): number {
  return isEnded(state) ? 3 : isFailing(state) ? 2 : isPaidFor(state) ? 1 : 0
}

export function cyclesOf(known: Known, told: GatewaySubscription): number {
  return told.paid_billing_cycles ?? known.paidBillingCycles
}

/** News may come late and out of order: within a period things only move on, and a later period wins. */
export function isNewer(known: Known, told: GatewaySubscription): boolean {
  const cycles = cyclesOf(known, told)
  if (cycles !== known.paidBillingCycles) return cycles > known.paidBillingCycles
  return stage(told.state) >= stage(known.state)
}
