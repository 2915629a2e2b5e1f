import { setImmediate as turn } from 'node:timers/promises'

/** Work without a pause may take so long: others wait for it. */
const SLICE_MS = 10

/** `await pause()` between the parts of long work: once the time is over, the others get their turn. */
export function createPauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await turn()
    since = performance.now()
  }
}

/** Maps a list as `map` does, with pauses. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, i: number) => Result,
): Promise<Result[]> {
  const pause = createPauses()
  const done: Result[] = []
  for (const [i, item] of items.entries()) {
    done.push(work(item, i))
    await pause()
  }
  return done
}
