/** Reasons not to reload the page now: something unsaved, an answer on its way. */

const reasons = new Set<symbol>()
let waiting: (() => void)[] = []

/** Keeps the page from being reloaded, until the returned function is called. */
export function holdReload(reason: string): () => void {
  const hold = Symbol(reason)
  reasons.add(hold)
  return () => {
    reasons.delete(hold)
    if (reasons.size > 0) return
    const free = waiting
    waiting = []
    for (const action of free) action()
  }
}

export function isReloadHeld(): boolean {
  return reasons.size > 0
}

/** Acts now, or as soon as nothing holds the page any more. */
export function whenReloadIsFree(action: () => void): void {
  if (isReloadHeld()) waiting.push(action)
  else action()
}
