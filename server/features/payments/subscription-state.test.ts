import { expect, test } from 'vitest'
import { GatewaySubscription } from '#server/payments/gateway.ts'
import { isNewer, nextSubscription, type SubscriptionRow } from './subscription-state.ts'

const reported = (state: string, cycles: number) =>
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
])('after %s in period %i, %s in period %i is newer: %s', (state, cycles, next, nextCycles, newer) => {
  expect(isNewer({ state, paidBillingCycles: cycles }, reported(next, nextCycles))).toBe(newer)
})

const now = new Date('2026-05-01T12:00:00Z')
const renewAt = new Date('2026-06-01T12:00:00Z')
const earlier = new Date('2026-04-01T12:00:00Z')

function row(changes: Partial<SubscriptionRow>): SubscriptionRow {
  return {
    id: 's',
    gateway: 'bepaid',
    gatewayId: 'sbs_1',
    userId: 'u',
    planVersionId: 'v',
    state: 'active',
    activeTo: renewAt,
    renewAt,
    paidBillingCycles: 1,
    cardLast4: null,
    cardBrand: null,
    cancelRequestedAt: null,
    canceledAt: null,
    revokedAt: null,
    remindedFor: null,
    checkAt: null,
    failedChecks: 0,
    checkRequestedAt: null,
    missingSince: null,
    nextPlanVersionId: null,
    cardRemovedAt: null,
    replacedBy: null,
    createdAt: earlier,
    ...changes,
  }
}

const nextRenewal = new Date(renewAt.getTime() + 2 * 60_000)

test.each<[Partial<SubscriptionRow>, string, object]>([
  // known row, reported state, expected
  [{ state: 'redirecting' }, 'active', { email: null, checkAt: nextRenewal, renewAt }],
  [{}, 'active', { email: null, checkAt: nextRenewal, renewAt }],
  [{}, 'failed_attempt', { email: 'renewal-failed', checkAt: nextRenewal, renewAt }],
  [{ state: 'failed_attempt' }, 'failed_attempt', { email: null, checkAt: nextRenewal, renewAt }],
  [{}, 'failed', { email: 'ended', checkAt: null, renewAt: null, canceledAt: null, cancelRequestedAt: null }],
  [{}, 'canceled', { email: 'canceled', checkAt: null, renewAt: null, canceledAt: now, cancelRequestedAt: now }],
  [{ cancelRequestedAt: earlier }, 'expired', { email: 'ended', canceledAt: now, cancelRequestedAt: earlier }],
  [{ cancelRequestedAt: earlier }, 'active', { email: null, checkAt: now, canceledAt: null }],
  [{ state: 'error', missingSince: earlier, canceledAt: earlier }, 'active', { canceledAt: null, missingSince: null }],
])('from %o, reported as %s', (known, state, expected) => {
  const { row: next, email } = nextSubscription(row(known), reported(state, 1), now)
  expect({ ...next, email }).toMatchObject(expected)
  expect(next).toMatchObject({ state, activeTo: renewAt, paidBillingCycles: 1 })
})

test('no card data is stored for a deleted account', () => {
  const withCard = { ...reported('active', 1), card: { last_4: '1006', brand: 'visa' } }
  expect(nextSubscription(row({}), withCard, now).row).toMatchObject({ cardLast4: '1006', cardBrand: 'visa' })
  expect(nextSubscription(row({ userId: null }), withCard, now).row).not.toHaveProperty('cardLast4')
})
