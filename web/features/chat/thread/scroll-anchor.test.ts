import { expect, test } from 'vitest'
import { type AnchorState, createScrollAnchor, isStillFollowing, type Viewport } from './scroll-anchor.ts'

const VIEWPORT_PX = 600

/** A page of rows with known heights in a window of 600 px. */
function openPage(heights: Record<string, number>, saved: { rowId: string; top: number } | null = null) {
  let rows = Object.entries(heights)
  let top = 0
  const states: AnchorState[] = []
  const height = () => rows.reduce((sum, [, px]) => sum + px, 0)
  const clamp = (to: number) => Math.max(0, Math.min(to, height() - VIEWPORT_PX))
  const page = {
    isNativeAnchoring: true,
    rowTop(rowId: string) {
      const index = rows.findIndex(([id]) => id === rowId)
      return index < 0 ? null : rows.slice(0, index).reduce((sum, [, px]) => sum + px, 0) - top
    },
    position: () => ({ top, below: height() - VIEWPORT_PX - top }),
    state: () => states.at(-1) ?? { isAway: false, hasNew: false },
    changes: () => states.length,
    scrollTo(to: number, isByUser = true) {
      top = clamp(to)
      anchor.scrolled(isByUser)
    },
    resize(rowId: string, px: number) {
      rows = rows.map(([id, before]) => [id, id === rowId ? px : before])
      top = clamp(top)
      anchor.resized()
    },
    prepend(older: Record<string, number>) {
      anchor.beforePrepend()
      rows = [...Object.entries(older), ...rows]
      const during = page.isNativeAnchoring
      anchor.afterPrepend()
      return during
    },
  }
  const viewport: Viewport = {
    position: page.position,
    rowTop: page.rowTop,
    firstVisibleRow() {
      for (const [rowId, px] of rows) {
        const rowTop = page.rowTop(rowId) ?? 0
        if (rowTop + px > 0) return { rowId, top: rowTop }
      }
      return null
    },
    scrollToEnd() {
      top = clamp(height())
    },
    scrollBy(px) {
      top = clamp(top + px)
    },
    setNativeAnchoring(isOn) {
      page.isNativeAnchoring = isOn
    },
  }
  const anchor = createScrollAnchor(viewport, (state) => states.push(state))
  const isRestored = anchor.open(saved)
  return { ...page, page, anchor, isRestored }
}

const thread = { q1: 500, a1: 900, q2: 100, a2: 800 }

test('a thread opens at its end without a change of state', () => {
  const { position, changes, page } = openPage(thread)
  expect(position()).toEqual({ top: 1700, below: 0 })
  expect(changes()).toBe(0)
  expect(page.isNativeAnchoring).toBe(false)
})

test('the end stays in view while an answer grows', () => {
  const { resize, position } = openPage(thread)
  resize('a2', 1200)
  expect(position().below).toBe(0)
})

test('a reader who scrolled up stays in place and sees a hint', () => {
  const { page, scrollTo, resize, anchor, position, state } = openPage(thread)
  scrollTo(1690)
  expect(state()).toEqual({ isAway: true, hasNew: false })
  expect(page.isNativeAnchoring).toBe(true)
  resize('a2', 1200)
  anchor.contentAdded()
  expect(position().top).toBe(1690)
  expect(state()).toEqual({ isAway: true, hasNew: true })
})

test('reaching the end starts following again', () => {
  const { scrollTo, anchor, resize, position, state } = openPage(thread)
  scrollTo(300)
  anchor.contentAdded()
  scrollTo(1670)
  expect(state()).toEqual({ isAway: false, hasNew: false })
  resize('a2', 1000)
  expect(position().below).toBe(0)
})

test('goToEnd scrolls to the end and follows it', () => {
  const { scrollTo, anchor, resize, position, state } = openPage(thread)
  scrollTo(300)
  anchor.goToEnd()
  expect(position().below).toBe(0)
  expect(state().isAway).toBe(false)
  resize('a2', 1000)
  expect(position().below).toBe(0)
})

test('after release the page is not scrolled', () => {
  const { anchor, resize, position, state } = openPage(thread)
  anchor.release()
  resize('a2', 1000)
  expect(position().below).toBe(200)
  expect(state().isAway).toBe(true)
})

test('earlier messages do not move the visible row', () => {
  const { page, scrollTo, prepend, rowTop } = openPage(thread)
  scrollTo(0)
  const before = rowTop('q1')
  expect(prepend({ q0: 300, a0: 700 })).toBe(false)
  expect(rowTop('q1')).toBe(before)
  expect(page.isNativeAnchoring).toBe(true)
})

test('earlier messages leave a followed end in view', () => {
  const { page, prepend, position } = openPage({ q1: 300, a1: 400 })
  prepend({ q0: 300 })
  expect(position().below).toBe(0)
  expect(page.isNativeAnchoring).toBe(false)
})

test('a saved position is restored', () => {
  const { isRestored, rowTop, state } = openPage(thread, { rowId: 'a1', top: -120 })
  expect(isRestored).toBe(true)
  expect(rowTop('a1')).toBe(-120)
  expect(state().isAway).toBe(true)
})

test('a saved position whose row is gone opens the end', () => {
  const { isRestored, position } = openPage(thread, { rowId: 'gone', top: 0 })
  expect(isRestored).toBe(false)
  expect(position().below).toBe(0)
})

test('small moves keep following until they add up to a jump', () => {
  const { scrollTo, state } = openPage(thread)
  scrollTo(1660, false)
  expect(state().isAway).toBe(false)
  scrollTo(1620, false)
  expect(state().isAway).toBe(false)
  scrollTo(1590, false)
  expect(state().isAway).toBe(true)
})

test('closing gives scroll anchoring back to the browser', () => {
  const { page, anchor } = openPage(thread)
  anchor.close()
  expect(page.isNativeAnchoring).toBe(true)
})

const atEnd = { top: 1000, below: 0 }
const byUser = true
const byItself = false

test('scrolling up stops following after the smallest step', () => {
  expect(isStillFollowing(true, atEnd, { top: 940, below: 60 }, byUser)).toBe(false)
  expect(isStillFollowing(true, atEnd, { top: 996, below: 4 }, byUser)).toBe(false)
  expect(isStillFollowing(false, { top: 996, below: 4 }, { top: 996, below: 30 }, byUser)).toBe(false)
})

test('a growing answer does not stop following', () => {
  expect(isStillFollowing(true, atEnd, { top: 1000, below: 500 }, byItself)).toBe(true)
  expect(isStillFollowing(true, atEnd, { top: 1000, below: 500 }, byUser)).toBe(true)
})

test('a small push by the layout does not stop following', () => {
  expect(isStillFollowing(true, atEnd, { top: 960, below: 44 }, byItself)).toBe(true)
})

test('a jump to something found far above stops following', () => {
  expect(isStillFollowing(true, atEnd, { top: 300, below: 700 }, byItself)).toBe(false)
})

test('a growing answer does not start following', () => {
  expect(isStillFollowing(false, { top: 500, below: 500 }, { top: 500, below: 900 }, byItself)).toBe(false)
})

test('scrolling down without reaching the end does not start following', () => {
  expect(isStillFollowing(false, { top: 500, below: 500 }, { top: 700, below: 300 }, byUser)).toBe(false)
})

test('reaching the end by scrolling starts following', () => {
  expect(isStillFollowing(false, { top: 500, below: 500 }, { top: 980, below: 20 }, byUser)).toBe(true)
})

test('a text that shrinks at the end does not stop following', () => {
  expect(isStillFollowing(true, atEnd, { top: 700, below: 0 }, byItself)).toBe(true)
})
