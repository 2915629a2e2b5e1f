import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { LlmError } from './errors.ts'

/** A provider that wants to be left alone for longer than this is not waited for while somebody watches. */
export const MAX_WAIT_MS = 10_000
/** What a provider says beyond this is no advice to anybody. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000

/** `Retry-After` in its two forms, seconds or a date; null when there is none that makes sense. */
export function retryAfterMs(headers: IncomingHttpHeaders, now = Date.now()): number | null {
  const told = headers['retry-after']?.trim()
  if (!told) return null
  const ms = /^\d+(\.\d+)?$/.test(told) ? Number(told) * 1000 : Math.max(0, Date.parse(told) - now)
  return ms <= MAX_RETRY_AFTER_MS ? ms : null
}

interface RetryOptions {
  tries: number
  /** The pause before the next try, unless the provider names a longer one. */
  waitMs: (attempt: number) => number
  mayRetry: (error: LlmError, elapsedMs: number) => boolean
  maxWaitMs?: number
}

/** Asks again what failed in passing, and never sooner than the provider allows. */
export async function withRetry<End>(
  ask: () => Promise<End>,
  signal: AbortSignal,
  { tries, waitMs, mayRetry, maxWaitMs = MAX_WAIT_MS }: RetryOptions,
): Promise<End> {
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now()
    let wait: number
    try {
      return await ask()
    } catch (error) {
      if (attempt >= tries || signal.aborted || !(error instanceof LlmError)) throw error
      if (!mayRetry(error, performance.now() - startedAt)) throw error
      wait = Math.max(error.retryAfterMs ?? 0, waitMs(attempt))
      if (wait > maxWaitMs) throw error
    }
    await pauseFor(wait, signal)
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: unknown) => {
    throw abortedBy(signal, error)
  })
}

/** What to throw for a call that its caller has ended: out of its time is a timeout, anything else is the reason given. */
export function abortedBy({ reason }: AbortSignal, cause: unknown): unknown {
  const isOutOfTime = reason instanceof DOMException && reason.name === 'TimeoutError'
  return isOutOfTime ? new LlmError('timeout', 'took too long', cause) : reason
}
