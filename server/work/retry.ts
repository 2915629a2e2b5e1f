import { setTimeout as pause } from 'node:timers/promises'

/**
 * SQL states after which a statement may succeed when repeated: connection, shutdown, too many clients, deadlock,
 * timeouts.
 */
const TRANSIENT_STATES = /^(08|53|57P|40001|40P01|55P03|57014|25P0[23])/
const TRANSIENT_CODES = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
const TRANSIENT_WORDS =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|client has encountered a connection error|connection ended/i

/** Whether the database was unavailable or busy. Drizzle wraps the driver's error. */
export function isTransient(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : ''
    if (TRANSIENT_STATES.test(code) || TRANSIENT_CODES.test(code) || TRANSIENT_WORDS.test(current.message)) return true
  }
  return false
}

export interface RetryOptions {
  /** How long to retry. */
  forMs?: number
  /** Ends the retries. */
  signal?: AbortSignal | undefined
  onRetry?: (error: unknown) => void
}

const FIRST_MS = 100
const LONGEST_MS = 2000
const DEFAULT_RETRY_MS = 600_000

/** Retries idempotent work while the database is unavailable. Other errors are thrown. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  options: RetryOptions = {},
): Promise<Result> {
  const { forMs = DEFAULT_RETRY_MS, signal, onRetry } = options
  const until = Date.now() + forMs
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, LONGEST_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || signal?.aborted || Date.now() + wait > until) throw error
      onRetry?.(error)
      await pause(wait / 2 + (Math.random() * wait) / 2)
    }
  }
}
