import { setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'

/** Work that each instance does within seconds. It must be safe to run in several instances at once. */
export interface Sweep {
  name: string
  /** Handles one batch and returns the number of rows; more than 0 means there may be more. */
  run: (signal: AbortSignal) => Promise<number>
  /** Whether there is work. Asked with every heartbeat; without it the sweep runs by its own timer. */
  waits?: SQL
  /** The pause between two runs; with `waits` the shortest one. */
  everyMs: number
  /** How long one run may continue with further batches. */
  limitMs?: number
  /** How long closing waits for the current run; without it, until it has ended. */
  stopMs?: number
}

export interface RunningSweep {
  /** Runs it now, or waits for the current run. */
  runNow: () => Promise<void>
  /** Runs it unless it has just run. */
  wake: () => void
  /** Stops the timer and waits for the current run. */
  close: () => Promise<void>
}

const LIMIT_MS = 30_000
const JITTER = 0.2

export function startSweep(sweep: Sweep, onError: (error: unknown, name: string) => void): RunningSweep {
  const { name, run, waits, everyMs, limitMs = LIMIT_MS, stopMs } = sweep
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let endedAt = Number.NEGATIVE_INFINITY

  const batches = async () => {
    const until = Date.now() + limitMs
    try {
      while ((await run(signal)) > 0 && !signal.aborted && Date.now() < until);
    } catch (error) {
      onError(error, name)
    }
  }

  const runNow = async () => {
    if (signal.aborted) return
    running ??= batches().finally(() => {
      running = null
      endedAt = performance.now()
      plan()
    })
    await running
  }

  /** Random, so that instances started together do not stay in step. */
  const plan = () => {
    clearTimeout(timer)
    if (waits || signal.aborted) return
    timer = setTimeout(() => void runNow(), everyMs * (1 - JITTER + Math.random() * 2 * JITTER))
    timer.unref()
  }

  plan()
  return {
    runNow,
    wake: () => {
      if (performance.now() - endedAt >= everyMs) void runNow()
    },
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await Promise.race([running, ...(stopMs === undefined ? [] : [pause(stopMs, undefined, { ref: false })])])
    },
  }
}
