/** Where in a thread one was reading, for the way back to it. A thread that was left at its end is opened there. */

interface ReadingPlace {
  rowId: string
  /** Where the row stood in the window. */
  top: number
}

const places = new Map<string, ReadingPlace>()
let isGoingBack = false

addEventListener('popstate', () => {
  isGoingBack = true
})
addEventListener('pushState', () => {
  isGoingBack = false
})

export function keepPlace(threadId: string, list: HTMLElement | null, isAtEnd: boolean): void {
  const row = isAtEnd ? undefined : [...(list?.children ?? [])].find((one) => one.getBoundingClientRect().bottom > 0)
  if (row) places.set(threadId, { rowId: row.id, top: row.getBoundingClientRect().top })
  else places.delete(threadId)
}

/** Brings back what was in view; false when one comes by another way, or there is nothing to bring back. */
export function restorePlace(threadId: string): boolean {
  const place = isGoingBack ? places.get(threadId) : undefined
  const row = place && document.getElementById(place.rowId)
  if (!row) return false
  scrollBy({ top: row.getBoundingClientRect().top - place.top, behavior: 'instant' })
  return true
}
