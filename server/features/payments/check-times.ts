const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When the gateway is asked about an unpaid order, counted from its creation. After 25 h its pay page is closed. */
const CHECKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 25 * HOUR_MS]

export const FIRST_CHECK_MS = 5 * MINUTE_MS

/** Null after the last check. */
export function nextCheck(createdAt: Date, now: Date): Date | null {
  return firstAfter(createdAt, CHECKS_MS, now)
}

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
