import { setTimeout as pause } from 'node:timers/promises'
import { isTransient } from '#server/lib/errors.ts'

export interface RetryOptions {
  forMs?: number
  signal?: AbortSignal | undefined
  onRetry?: (error: unknown) => void
}

const FIRST_MS = 100
const LONGEST_MS = 2000
const DEFAULT_RETRY_MS = 600_000

/** `work` must be idempotent. Other errors are thrown. */
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
