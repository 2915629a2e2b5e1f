const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When an order is asked about, counted from its beginning: soon, later, and when its page has closed for sure. */
const CHECKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 25 * HOUR_MS]

export const FIRST_CHECK_MS = 5 * MINUTE_MS

/** The time of the next question, or null after the last. */
export function nextCheck(createdAt: Date, now: Date): Date | null {
  return firstAfter(createdAt, CHECKS_MS, now)
}

/** A renewal is charged when its period ends, and its symbols are gone by then: it is asked about soon. */
const RENEWAL_CHECKS_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]

export function nextRenewalCheck(renewAt: Date, now: Date): Date {
  return firstAfter(renewAt, RENEWAL_CHECKS_MS, now) ?? new Date(now.getTime() + HOUR_MS)
}

function firstAfter(start: Date, waits: number[], now: Date): Date | null {
  return waits.map((wait) => new Date(start.getTime() + wait)).find((at) => at > now) ?? null
}

/** After a question that failed: a minute, then twice as long each time, up to six hours. */
export function nextTry(now: Date, failures: number): Date {
  return new Date(now.getTime() + Math.min(MINUTE_MS * 2 ** failures, 6 * HOUR_MS))
}
