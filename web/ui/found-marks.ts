import './found-marks.css'

/** Marks found words without changing the page: texts that are edited in place stay as they are. */
export function markFound(all: Range[], current: Range | null | undefined): void {
  // A browser without highlights of ranges only scrolls to them.
  if (!('highlights' in CSS)) return
  CSS.highlights.set('found', new Highlight(...all))
  CSS.highlights.set('found-current', new Highlight(...(current ? [current] : [])))
}

export const unmarkFound = () => markFound([], null)
