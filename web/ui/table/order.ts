/** Pure functions for the manual order of rows. */

export function placeAt(ids: readonly string[], id: string, place: number): string[] {
  const rest = ids.filter((each) => each !== id)
  return [...rest.slice(0, place), id, ...rest.slice(place)]
}

/** Moves by steps, not past the ends of the list. */
export function moveBy(ids: readonly string[], id: string, steps: number): string[] {
  const place = Math.min(Math.max(ids.indexOf(id) + steps, 0), ids.length - 1)
  return placeAt(ids, id, place)
}

/** The whole list after its visible part was reordered: hidden rows keep their positions. */
export function mergeOrder(all: readonly string[], visible: readonly string[]): string[] {
  const shown = new Set(visible)
  const queue = visible.values()
  return all.map((id) => (shown.has(id) ? (queue.next().value ?? id) : id))
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, place) => id === other[place])
}

/** The drop position: after all rows whose middle is above the pointer. */
export function placeUnder(y: number, middles: readonly number[]): number {
  return middles.filter((middle) => middle < y).length
}
