import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '#contract/threads.ts'
import { watchLiveText } from '../answers/growing-text.ts'
import {
  type AnchorState,
  createScrollAnchor,
  type RowPosition,
  type ScrollAnchor,
  type Viewport,
} from './scroll-anchor.ts'

/** After a touch the page scrolls on by itself for a while. */
const USER_INPUT_MS = 1200
const inputEvents = ['wheel', 'touchmove', 'keydown'] as const
const scrollUpKeys = new Set(['PageUp', 'ArrowUp', 'Home', ' '])

/** Keeps the end of a thread in view while it grows, unless the reader has scrolled elsewhere. */
export function useScrollAnchor(threadId: string, content: RefObject<HTMLElement | null>, last: Message | undefined) {
  const endMark = `${last?.id} ${last?.content.length}`
  const [state, setState] = useState<AnchorState>({ isAway: false, hasNew: false })
  const [anchor] = useState(() => createScrollAnchor(pageViewport(content), setState))

  useLayoutEffect(() => {
    const element = content.current
    const saved = savedPosition(threadId)
    // Restored again when the rows around it have their real heights.
    if (anchor.open(saved) && saved) requestAnimationFrame(() => anchor.restore(saved))
    return () => {
      const row = anchor.isFollowing() ? null : firstVisibleRow(element)
      if (row) savedPositions.set(threadId, row)
      else savedPositions.delete(threadId)
      anchor.close()
    }
  }, [threadId, content, anchor])

  // Before the first paint: rows near the window get their real heights in it.
  useLayoutEffect(() => listenToPage(content.current, anchor), [content, anchor])

  const seenMark = useRef(endMark)
  useEffect(() => {
    if (seenMark.current !== endMark) anchor.contentAdded()
    seenMark.current = endMark
  }, [endMark, anchor])

  const growingId = last?.status === 'streaming' ? last.id : null
  useEffect(() => (growingId ? watchLiveText(growingId, anchor.contentAdded) : undefined), [growingId, anchor])

  return { ...state, anchor }
}

function listenToPage(content: HTMLElement | null, anchor: ScrollAnchor): () => void {
  let inputAt = Number.NEGATIVE_INFINITY
  function onInput(event: Event) {
    if (isScrollInput(event)) inputAt = event.timeStamp
  }
  const onScroll = ({ timeStamp }: Event) => anchor.scrolled(timeStamp - inputAt < USER_INPUT_MS)
  const observer = new ResizeObserver(anchor.resized)
  for (const name of inputEvents) addEventListener(name, onInput, { passive: true, capture: true })
  addEventListener('scroll', onScroll, { passive: true })
  if (content) observer.observe(content)
  return () => {
    for (const name of inputEvents) removeEventListener(name, onInput, { capture: true })
    removeEventListener('scroll', onScroll)
    observer.disconnect()
  }
}

function isScrollInput(event: Event): boolean {
  if (!(event instanceof KeyboardEvent)) return true
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
  return scrollUpKeys.has(event.key) && !isTyping
}

function pageViewport(content: RefObject<HTMLElement | null>): Viewport {
  const page = document.documentElement
  return {
    position: () => ({ top: scrollY, below: page.scrollHeight - innerHeight - scrollY }),
    firstVisibleRow: () => firstVisibleRow(content.current),
    rowTop: (rowId) => document.getElementById(rowId)?.getBoundingClientRect().top ?? null,
    scrollToEnd: () => scrollTo({ top: page.scrollHeight, behavior: 'instant' }),
    scrollBy: (top) => scrollBy({ top, behavior: 'instant' }),
    setNativeAnchoring(isOn) {
      page.style.overflowAnchor = isOn ? '' : 'none'
    },
  }
}

function firstVisibleRow(content: HTMLElement | null): RowPosition | null {
  for (const row of content?.querySelector('ol')?.children ?? []) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0) return { rowId: row.id, top }
  }
  return null
}

/** The position at which the chat will be opened; null for its end. */
export const savedPosition = (threadId: string) => (isGoingBack && savedPositions.get(threadId)) || null

/** Positions of threads that were not left at their end, restored when the reader goes back in history. */
const savedPositions = new Map<string, RowPosition>()
let isGoingBack = false
addEventListener('popstate', () => {
  isGoingBack = true
})
addEventListener('pushState', () => {
  isGoingBack = false
})
