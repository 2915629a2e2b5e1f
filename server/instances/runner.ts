/** Runs long work of one kind in this process, with a limit on how many run at once. */
export interface Runner {
  /** Starts when there is capacity; an id that is running is not started twice. */
  run: (id: string, work: (signal: AbortSignal) => Promise<void>) => Promise<void>
  has: (id: string) => boolean
  ids: () => string[]
  /** How many run or wait. */
  size: () => number
  hasCapacity: () => boolean
  abort: (id: string, reason: unknown) => void
  idle: () => Promise<void>
  /** Waits for running work up to `waitMs`, then aborts it and waits until it has ended. */
  close: (waitMs: number, reason: unknown) => Promise<void>
}

export interface RunnerOptions {
  /** How many run at once; the others wait in order. */
  limit: number
  onError: (error: unknown, id: string) => void
  /** Returns which of these ids this process still owns. Checked regularly; the others are aborted with `lost`. */
  stillOwned?: (ids: string[]) => Promise<string[]>
  lost?: unknown
  checkMs?: number
}

const CHECK_MS = 5000

/** The same for one task outside a runner: the signal fires when this process no longer owns it. */
export function watchOwnership(isOwned: () => Promise<boolean>, checkMs = CHECK_MS) {
  const lost = new AbortController()
  const check = async () => {
    if (!(await isOwned())) lost.abort()
  }
  const timer = setInterval(() => void check().catch(() => {}), checkMs)
  timer.unref()
  return { lost: lost.signal, close: () => clearInterval(timer) }
}

export function createRunner({ limit, onError, stillOwned, lost, checkMs = CHECK_MS }: RunnerOptions): Runner {
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>()
  const waiting: (() => void)[] = []
  let busy = 0

  async function inTurn(work: () => Promise<void>): Promise<void> {
    if (busy >= limit) await new Promise<void>((turn) => waiting.push(turn))
    else busy += 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }

  async function check(): Promise<void> {
    if (!stillOwned || running.size === 0) return
    const ids = [...running.keys()]
    const owned = new Set(await stillOwned(ids))
    for (const id of ids) if (!owned.has(id)) running.get(id)?.abort.abort(lost)
  }
  // A failed check is repeated next time.
  const timer = stillOwned && setInterval(() => void check().catch(() => {}), checkMs)
  timer?.unref()

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done))
  }

  return {
    run: (id, work) => {
      const known = running.get(id)
      if (known) return known.done
      const abort = new AbortController()
      const done = inTurn(() => work(abort.signal))
        .catch((error: unknown) => onError(error, id))
        .finally(() => running.delete(id))
      running.set(id, { abort, done })
      return done
    },
    has: (id) => running.has(id),
    ids: () => [...running.keys()],
    size: () => running.size,
    hasCapacity: () => running.size < limit,
    abort: (id, reason) => running.get(id)?.abort.abort(reason),
    idle,
    close: async (waitMs, reason) => {
      const finished = idle()
      let late: NodeJS.Timeout | undefined
      await Promise.race([
        finished,
        new Promise((done) => {
          late = setTimeout(done, waitMs)
        }),
      ])
      clearTimeout(late)
      for (const { abort } of running.values()) abort.abort(reason)
      await idle()
      clearInterval(timer)
    },
  }
}
