import { setTimeout as pause } from 'node:timers/promises'

interface RunLimits {
  concurrency: number
  deadlineMs: number
  /** Receives the work still running at the deadline. */
  onBackground?: ((work: Promise<void>) => void) | undefined
}

/**
 * Runs the work returned by `next` concurrently until it returns null or the deadline is reached. Work still running
 * then continues in the background: one slow request must not delay the next run.
 */
export async function runConcurrently(
  { concurrency, deadlineMs, onBackground }: RunLimits,
  next: () => Promise<(() => Promise<void>) | null>,
): Promise<void> {
  const until = Date.now() + deadlineMs
  async function worker(): Promise<void> {
    while (Date.now() < until) {
      const work = await next()
      if (!work) return
      await work()
    }
  }
  const all = Promise.all(Array.from({ length: concurrency }, worker)).then(() => {})
  const timer = new AbortController()
  const isLate = await Promise.race([
    all.then(() => false),
    pause(deadlineMs, true, { signal: timer.signal, ref: false }).catch(() => true),
  ])
  timer.abort()
  if (isLate) onBackground?.(all.catch(() => {}))
}
