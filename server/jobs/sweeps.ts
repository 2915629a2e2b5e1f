/**
 * Work that each instance does every few seconds by its own timer. It must be safe to run in several instances at once.
 */
export interface Sweep {
  /** Runs it now, or waits for the current run. */
  runNow: () => Promise<void>
  /** Stops the timer and waits for the current run. */
  close: () => Promise<void>
}

export interface SweepOptions {
  name: string
  everyMs: number
  /** Handles one batch and returns the number of rows; more than 0 means there may be more. */
  sweep: () => Promise<number>
  onError: (error: unknown, name: string) => void
  /** How long one run may continue with further batches. */
  limitMs?: number
}

const LIMIT_MS = 30_000
const JITTER = 0.2

export function startSweep({ name, everyMs, sweep, onError, limitMs = LIMIT_MS }: SweepOptions): Sweep {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let closed = false

  const batches = async () => {
    const until = Date.now() + limitMs
    try {
      while ((await sweep()) > 0 && !closed && Date.now() < until);
    } catch (error) {
      onError(error, name)
    }
  }

  const run = (): Promise<void> => {
    running ??= batches().finally(() => {
      running = null
      plan()
    })
    return running
  }

  /** Random, so that instances started together do not stay in step. */
  const plan = () => {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(run, everyMs * (1 - JITTER + Math.random() * 2 * JITTER))
    timer.unref()
  }

  plan()
  return {
    runNow: async () => {
      if (!closed) await run()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
