/** Reasons not to reload the page: unsaved changes, uploads, a streaming answer. */

const reasons = new Set<symbol>()
let waiting: (() => void)[] = []

/** Holds reloads until the returned function is called. */
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

/** Runs the action now or when the last hold is released. */
export function whenReloadIsFree(action: () => void): void {
  if (isReloadHeld()) waiting.push(action)
  else action()
}
