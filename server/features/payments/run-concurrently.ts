import { setTimeout as pause } from 'node:timers/promises'

interface Run {
  concurrency: number
  deadlineMs: number
  /** Given what is still going on at the deadline. */
  onBackground?: ((work: Promise<void>) => void) | undefined
}

/**
 * Does what `next` hands out, a few things side by side, until it has no more or the deadline is reached. Whatever is
 * still going on then goes on by itself: one silent answer must not hold up the next run.
 */
export async function runConcurrently(
  { concurrency, deadlineMs, onBackground }: Run,
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
