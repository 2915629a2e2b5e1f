import { expect, test } from 'vitest'
import { GatewaySubscription } from '#server/payments/gateway.ts'
import { isNewer } from './subscription-state.ts'

const told = (state: string, cycles: number) =>
  GatewaySubscription.parse({
    id: 'sbs_1',
    state,
    paid_billing_cycles: cycles,
    plan: { currency: 'BYN', plan: { amount: 1 } },
  })

test.each([
  ['redirecting', 0, 'active', 1, true],
  ['redirecting', 0, 'trial', 0, true],
  ['trial', 0, 'active', 1, true],
  ['active', 1, 'failed_attempt', 1, true],
  ['failed_attempt', 1, 'active', 2, true],
  ['active', 2, 'canceled', 2, true],
  ['active', 2, 'active', 2, true],
  ['active', 2, 'active', 1, false],
  ['canceled', 2, 'active', 2, false],
  ['failed', 1, 'failed_attempt', 1, false],
  ['failed_attempt', 1, 'processing', 1, false],
  ['active', 1, 'redirecting', 0, false],
])('after %s in period %i, news of %s in period %i is newer: %s', (state, cycles, next, nextCycles, newer) => {
  expect(isNewer({ state, paidBillingCycles: cycles }, told(next, nextCycles))).toBe(newer)
})
