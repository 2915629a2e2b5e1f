/** Whether the view goes along with the end of a thread. */

/** So close to the end counts as there. */
export const NEAR_PX = 40
/** A leap up that nobody made by hand: find-in-page, or the focus that went to a button far above. */
const LEAP_PX = 100

export interface Place {
  /** How far the page is scrolled. */
  top: number
  /** How much of it is below the view. */
  below: number
}

/**
 * Going up leaves the end, arriving there takes it up again. The end may run away from the view, and the view may be
 * pushed a little when something above it settles: neither is a wish of the reader.
 */
export function isStuck(wasStuck: boolean, before: Place, now: Place, isByHand: boolean): boolean {
  if (now.below <= 1) return true
  const up = before.top - now.top
  if (up > 1 && isByHand) return false
  if (up > LEAP_PX && now.below > LEAP_PX) return false
  return wasStuck || (up < -1 && now.below <= NEAR_PX)
}
