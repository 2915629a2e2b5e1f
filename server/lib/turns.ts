/** Runs work of one kind in the order of arrival, so much at once. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

interface TurnOptions {
  atOnce: number
  /** After this time work begins although it is not its turn: what is slow must not hold up the rest. */
  patienceMs: number
}

/**
 * When more comes in than can be done, all would be done at the end if all ran at the same time. In turn the first is
 * done soon, and no one waits longer than before.
 */
export function createTurns({ atOnce, patienceMs }: TurnOptions): InTurn {
  const waiting = new Set<() => void>()
  let running = 0

  function begin(): Promise<void> | null {
    running += 1
    if (running <= atOnce) return null
    return new Promise((start) => {
      const go = () => {
        waiting.delete(go)
        clearTimeout(timer)
        start()
      }
      const timer = setTimeout(go, patienceMs)
      waiting.add(go)
    })
  }

  return async (work) => {
    await begin()
    try {
      return await work()
    } finally {
      running -= 1
      const [next] = waiting
      next?.()
    }
  }
}
