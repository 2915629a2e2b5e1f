/**
 * Keeps the viewport of a thread in place. It has three inputs: the page was scrolled, the content was resized,
 * earlier messages are added above. While the end is followed the controller scrolls; elsewhere the browser anchors.
 */

export interface ScrollPosition {
  /** How far the page is scrolled. */
  top: number
  /** How much of the page is below the viewport. */
  below: number
}

export interface RowPosition {
  rowId: string
  /** The distance from the top of the viewport. */
  top: number
}

/** The window in the page, an object in tests. */
export interface Viewport {
  position: () => ScrollPosition
  firstVisibleRow: () => RowPosition | null
  /** The distance of a row from the top of the viewport; null when it is not rendered. */
  rowTop: (rowId: string) => number | null
  scrollToEnd: () => void
  scrollBy: (px: number) => void
  setNativeAnchoring: (isOn: boolean) => void
}

export interface AnchorState {
  /** The reader has left the end. */
  isAway: boolean
  /** There is new content at the end that the reader has not seen. */
  hasNew: boolean
}

export type ScrollAnchor = ReturnType<typeof createScrollAnchor>

export function createScrollAnchor(viewport: Viewport, onChange: (state: AnchorState) => void) {
  let isFollowing = true
  let hasNew = false
  let last: ScrollPosition = { top: 0, below: 0 }
  let prepending: { rowId: string; pageTop: number } | null = null

  function follow(next: boolean) {
    const isChanged = next !== isFollowing || (next && hasNew)
    isFollowing = next
    if (next) hasNew = false
    viewport.setNativeAnchoring(!next)
    if (isChanged) onChange({ isAway: !next, hasNew })
  }

  function scrollToEnd() {
    viewport.scrollToEnd()
    last = viewport.position()
  }

  function restore({ rowId, top }: RowPosition): boolean {
    const now = viewport.rowTop(rowId)
    if (now !== null) viewport.scrollBy(now - top)
    return now !== null
  }

  return {
    isFollowing: () => isFollowing,
    /** Starts at a saved position, or at the end. True when the position was restored. */
    open(saved: RowPosition | null): boolean {
      const isRestored = saved !== null && restore(saved)
      follow(!isRestored)
      if (!isRestored) scrollToEnd()
      return isRestored
    },
    restore,
    close: () => viewport.setNativeAnchoring(true),
    goToEnd() {
      follow(true)
      scrollToEnd()
    },
    /** Stops following: another part of the page scrolls to a message. */
    release: () => follow(false),

    scrolled(isByUser: boolean) {
      const now = viewport.position()
      const next = isStillFollowing(isFollowing, last, now, isByUser)
      // Small moves up that do not stop following are added up: with the scroll bar, for example, they make up a jump.
      if (!next || !isFollowing || now.top > last.top || now.below <= 1) last = now
      if (next !== isFollowing) follow(next)
    },
    resized() {
      if (isFollowing) scrollToEnd()
    },
    /** Called before earlier messages are rendered; `afterPrepend` returns the visible row to its place. */
    beforePrepend() {
      const row = viewport.firstVisibleRow()
      if (!row) return
      prepending = { rowId: row.rowId, pageTop: row.top + viewport.position().top }
      // At the very top of a page the browser does not anchor, so this is always done here.
      viewport.setNativeAnchoring(false)
    },
    afterPrepend() {
      if (!prepending) return
      const { rowId, pageTop } = prepending
      prepending = null
      const now = viewport.rowTop(rowId)
      if (now !== null) viewport.scrollBy(now + viewport.position().top - pageTop)
      viewport.setNativeAnchoring(!isFollowing)
    },

    contentAdded() {
      if (isFollowing || hasNew) return
      hasNew = true
      onChange({ isAway: true, hasNew })
    },
  }
}

/** This close to the end counts as the end. */
const NEAR_PX = 40
/** A jump up without user input: find-in-page, or focus that moved to an element far above. */
const JUMP_PX = 100

/**
 * Scrolling up stops following, reaching the end starts it again. A growing answer moves the end away, and layout
 * above the viewport may push it a little: neither is a decision of the reader.
 */
export function isStillFollowing(
  wasFollowing: boolean,
  before: ScrollPosition,
  now: ScrollPosition,
  isByUser: boolean,
): boolean {
  if (now.below <= 1) return true
  const up = before.top - now.top
  if (up > 1 && isByUser) return false
  if (up > JUMP_PX && now.below > JUMP_PX) return false
  return wasFollowing || (up < -1 && now.below <= NEAR_PX)
}
