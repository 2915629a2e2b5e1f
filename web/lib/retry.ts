const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504])

/** Retries only idempotent requests and only temporary failures. */
export function isRetried(method: string, status: number): boolean {
  return idempotent.has(method.toUpperCase()) && passing.has(status)
}

const FIRST_MS = 300
/** A longer Retry-After is not waited for; the error is shown instead. */
const LONGEST_MS = 10_000

/** How long to wait before a retry by the server's Retry-After; null when that is too long. */
export function retryDelay(retryAfter: number | undefined, random: () => number = Math.random): number | null {
  if (retryAfter === undefined) return FIRST_MS
  const ms = spread(retryAfter, random)
  return ms > LONGEST_MS ? null : ms
}

/** Not before the Retry-After, with jitter so that clients do not return together. */
export function spread(seconds: number, random: () => number = Math.random): number {
  return Math.max(seconds * 1000, FIRST_MS) * (1 + random() / 2)
}
