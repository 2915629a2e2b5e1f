import { endedStates, type subscriptions } from '#server/db/schema.ts'
import type { GatewaySubscription } from '#server/payments/gateway.ts'
import type { OrderRow } from './orders.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
type StoredState = Pick<SubscriptionRow, 'state' | 'paidBillingCycles'>

interface StateRule {
  /** Within one period the stage only grows: 0 being paid, 1 paid, 2 failing to renew, 3 ended. */
  stage: 0 | 1 | 2 | 3
  /** The email sent on entering the state. */
  email: 'canceled' | 'renewal-failed' | 'ended' | null
}

const ENDED: StateRule = { stage: 3, email: 'ended' }
const FAILING: StateRule = { stage: 2, email: 'renewal-failed' }
const PAID: StateRule = { stage: 1, email: null }
/** `redirecting`, `processing` and any state added by the gateway later. */
const STARTING: StateRule = { stage: 0, email: null }

const rules = new Map<string, StateRule>([
  ['active', PAID],
  ['trial', PAID],
  ['failed_attempt', FAILING],
  ['rescuing', FAILING],
  ...endedStates.map((state) => [state, ENDED] as const),
  ['canceled', { stage: 3, email: 'canceled' }],
])
const ruleOf = (state: string): StateRule => rules.get(state) ?? STARTING

export const isEnded = (state: string) => ruleOf(state).stage === 3

/** Active, paid at least once and not asked to cancel: it will charge again. */
export const isLive = ({ state, activeTo, cancelRequestedAt }: SubscriptionRow) =>
  activeTo !== null && cancelRequestedAt === null && !isEnded(state)
export const willBeLive = (known: SubscriptionRow, reported: GatewaySubscription) =>
  isLive({ ...known, state: reported.state, activeTo: reported.active_to ?? known.activeTo })

const cyclesOf = (known: StoredState, reported: GatewaySubscription) =>
  reported.paid_billing_cycles ?? known.paidBillingCycles

/** Events come late and out of order: a later period wins, and within a period the stage never goes back. */
export function isNewer(known: StoredState, reported: GatewaySubscription): boolean {
  const cycles = cyclesOf(known, reported)
  if (cycles !== known.paidBillingCycles) return cycles > known.paidBillingCycles
  return ruleOf(reported.state).stage >= ruleOf(known.state).stage
}

/** Pure: `subscriptions.ts` writes the result. */
export function nextSubscription(known: SubscriptionRow, reported: GatewaySubscription, now: Date) {
  const { state, active_to, renew_at, card } = reported
  const hasEnded = isEnded(state)
  const activeTo = active_to ?? known.activeTo
  const renewAt = hasEnded ? null : (renew_at ?? activeTo)
  const cancelRequestedAt = known.cancelRequestedAt ?? (state === 'canceled' ? now : null)
  return {
    row: {
      state,
      activeTo,
      renewAt,
      paidBillingCycles: cyclesOf(known, reported),
      // No card data is stored again for a payer who removed the card, or whose account is deleted.
      ...(known.userId &&
        !known.cardRemovedAt && {
          cardLast4: card?.last_4 ?? known.cardLast4,
          cardBrand: card?.brand ?? known.cardBrand,
        }),
      cancelRequestedAt,
      ...cancelTimes({ known, hasEnded, isCanceling: cancelRequestedAt !== null, renewAt, now }),
      missingSince: null,
    },
    email: state === known.state ? null : ruleOf(state).email,
  }
}

interface CancelFacts {
  known: SubscriptionRow
  hasEnded: boolean
  isCanceling: boolean
  renewAt: Date | null
  now: Date
}

/**
 * `canceledAt`: set when a requested cancellation has ended the subscription; cleared when a lost one is found again.
 * `checkAt`: at once while a cancellation is not confirmed, otherwise after the next renewal.
 */
function cancelTimes({ known, hasEnded, isCanceling, renewAt, now }: CancelFacts) {
  const unchanged = known.missingSince ? null : known.canceledAt
  if (hasEnded) {
    // The next plan begins when the paid period ends.
    const checkAt = isCanceling && known.nextPlanVersionId ? known.activeTo : null
    return { canceledAt: isCanceling ? (known.canceledAt ?? now) : unchanged, checkAt }
  }
  if (isCanceling) return { canceledAt: unchanged, checkAt: known.checkAt ?? now }
  if (known.nextPlanVersionId && renewAt) return { canceledAt: unchanged, checkAt: planChangeTime(renewAt) }
  return { canceledAt: unchanged, checkAt: renewAt && nextRenewalCheck(renewAt, now) }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When the gateway is asked about an unpaid order, counted from its creation. After 25 h its pay page is closed. */
const CHECKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 25 * HOUR_MS]

/** ЮKassa closes a page after an hour. */
const QUICK_CHECKS_MS = [...[2, 5, 10, 20, 40, 65, 120].map((minutes) => minutes * MINUTE_MS), 25 * HOUR_MS]

/** A payment that has begun, for example a bill of ЕРИП, may arrive up to a day after its page closed. */
const SLOW_CHECKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, ...[1, 3, 6, 12, 25, 37, 49].map((hours) => hours * HOUR_MS)]

export const FIRST_CHECK_MS = 5 * MINUTE_MS

/** Null after the last check. */
type Checked = Pick<OrderRow, 'createdAt' | 'progress' | 'gateway' | 'kind'>
/** A charge of ours whose end is unknown is asked about for so long. */
const CHARGE_CHECKED_MS = 14 * 24 * HOUR_MS

export function nextCheck({ createdAt, progress, gateway, kind }: Checked, now: Date): Date | null {
  if (gateway === 'yookassa') {
    const isCharge = kind === 'renewal' && now.getTime() - createdAt.getTime() < CHARGE_CHECKED_MS
    const checks = progress === 'processing' ? [...QUICK_CHECKS_MS, ...SLOW_CHECKS_MS] : QUICK_CHECKS_MS
    return firstAfter(createdAt, checks, now) ?? (isCharge ? new Date(now.getTime() + HOUR_MS) : null)
  }
  return firstAfter(createdAt, progress === 'processing' ? SLOW_CHECKS_MS : CHECKS_MS, now)
}

/** A subscription that changes its plan is ended at the gateway this long before it would be charged again. */
export const CHANGE_AHEAD_MS = 15 * MINUTE_MS

export const planChangeTime = (renewAt: Date) => new Date(renewAt.getTime() - CHANGE_AHEAD_MS)

/** The symbols of a period expire when the renewal is due, so a renewal is checked soon. */
const RENEWAL_CHECKS_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]

export function nextRenewalCheck(renewAt: Date, now: Date): Date {
  return firstAfter(renewAt, RENEWAL_CHECKS_MS, now) ?? new Date(now.getTime() + HOUR_MS)
}

function firstAfter(start: Date, waits: number[], now: Date): Date | null {
  return waits.map((wait) => new Date(start.getTime() + wait)).find((at) => at > now) ?? null
}

/** Retry after a failed check: a minute, doubled each time, up to six hours. */
export function nextRetry(now: Date, failures: number): Date {
  return new Date(now.getTime() + Math.min(MINUTE_MS * 2 ** failures, 6 * HOUR_MS))
}
