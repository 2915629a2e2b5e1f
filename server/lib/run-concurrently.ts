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
  // Usually there is nothing to do: one worker finds that out.
  const first = await next()
  if (!first) return
  async function worker(): Promise<void> {
    while (Date.now() < until) {
      const work = await next()
      if (!work) return
      await work()
    }
  }
  const others = Array.from({ length: concurrency - 1 }, worker)
  const all = Promise.all([first().then(worker), ...others]).then(() => {})
  const timer = new AbortController()
  const isLate = await Promise.race([
    all.then(() => false),
    pause(deadlineMs, true, { signal: timer.signal, ref: false }).catch(() => true),
  ])
  timer.abort()
  if (isLate) onBackground?.(all.catch(() => {}))
}

/** The same for a list. */
export function runForEach<T>(limits: RunLimits, things: T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = things.values()
  return runConcurrently(limits, async () => {
    const next = left.next()
    return next.done ? null : () => work(next.value)
  })
}
