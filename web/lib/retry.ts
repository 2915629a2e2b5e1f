const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const transientStatuses = new Set([408, 409, 425, 429, 500, 502, 503, 504])

/** Retries only idempotent requests and only temporary failures. */
export function isRetryable(method: string, status: number): boolean {
  return idempotentMethods.has(method.toUpperCase()) && transientStatuses.has(status)
}

const FIRST_MS = 300
/** A longer Retry-After is not waited for; the error is shown instead. */
const MAX_MS = 10_000

/** How long to wait before a retry by the server's Retry-After; null when that is too long. */
export function retryDelay(retryAfter: number | undefined, random: () => number = Math.random): number | null {
  if (retryAfter === undefined) return FIRST_MS
  const ms = withJitter(retryAfter, random)
  return ms > MAX_MS ? null : ms
}

/** Not before the Retry-After, with jitter so that clients do not return together. */
export function withJitter(seconds: number, random: () => number = Math.random): number {
  return Math.max(seconds * 1000, FIRST_MS) * (1 + random() / 2)
}
