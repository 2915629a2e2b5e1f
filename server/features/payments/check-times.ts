const MINUTE_MS = 60_000

/** When an order is asked about, counted from its beginning: soon, later, and when its page has closed for sure. */
const CHECKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 25 * 60 * MINUTE_MS]

export const FIRST_CHECK_MS = 5 * MINUTE_MS

/** The time of the next question after `done` of them, or null after the last. */
export function nextCheck(createdAt: Date, done: number): Date | null {
  const wait = CHECKS_MS[done]
  return wait === undefined ? null : new Date(createdAt.getTime() + wait)
}
