import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { keepPlace, restorePlace } from './scroll-position.ts'
import { isStuck, type Place } from './stick.ts'

/** A touch sends the page gliding for a while. */
const HAND_MS = 1200
const hands = ['wheel', 'touchmove', 'keydown'] as const
const keysUp = new Set(['PageUp', 'ArrowUp', 'Home', ' '])

function isScrolling(event: Event): boolean {
  if (!(event instanceof KeyboardEvent)) return true
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
  return keysUp.has(event.key) && !isTyping
}

function whereNow(): Place {
  const { scrollHeight } = document.documentElement
  return { top: scrollY, below: scrollHeight - innerHeight - scrollY }
}

export interface End {
  /** The reader has gone away from it. */
  isAway: boolean
  /** And something has come meanwhile. */
  hasNew: boolean
  goThere: () => void
  /** Leaves the view where it is. */
  letGo: () => void
}

/**
 * Keeps the end of a thread in view while it grows, unless the reader has gone elsewhere.
 * `mark` is another one when there is something new at the end.
 */
export function useEnd(threadId: string, content: RefObject<HTMLElement | null>, mark: string): End {
  const stuck = useRef(true)
  const place = useRef<Place>({ top: 0, below: 0 })
  const [isAway, setAway] = useState(false)
  const [hasNew, setNew] = useState(false)

  const settle = useCallback((next: boolean) => {
    stuck.current = next
    setAway(!next)
    if (next) setNew(false)
  }, [])

  const follow = useCallback(() => {
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
    place.current = whereNow()
  }, [])

  const goThere = useCallback(() => {
    settle(true)
    follow()
  }, [settle, follow])

  const letGo = useCallback(() => settle(false), [settle])

  useLayoutEffect(() => {
    const element = content.current
    if (restorePlace(threadId)) {
      settle(false)
      // Once more when the rows around it have their real heights.
      requestAnimationFrame(() => restorePlace(threadId))
    } else follow()
    return () => keepPlace(threadId, element?.querySelector('ol') ?? null, stuck.current)
  }, [threadId, content, settle, follow])

  // With the end the view goes by our hand; the browser holds it only while one reads elsewhere.
  useLayoutEffect(() => {
    document.documentElement.style.overflowAnchor = isAway ? '' : 'none'
    return () => {
      document.documentElement.style.overflowAnchor = ''
    }
  }, [isAway])

  useEffect(() => {
    let handAt = Number.NEGATIVE_INFINITY
    function onHand(event: Event) {
      if (isScrolling(event)) handAt = event.timeStamp
    }
    function onScroll({ timeStamp }: Event) {
      const now = whereNow()
      const next = isStuck(stuck.current, place.current, now, timeStamp - handAt < HAND_MS)
      // Many small pushes may be one leap, of the scroll bar for one: they are measured from where the end was left.
      if (!next || !stuck.current || now.top > place.current.top || now.below <= 1) place.current = now
      if (next !== stuck.current) settle(next)
    }
    for (const hand of hands) addEventListener(hand, onHand, { passive: true, capture: true })
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      for (const hand of hands) removeEventListener(hand, onHand, { capture: true })
      removeEventListener('scroll', onScroll)
    }
  }, [settle])

  useEffect(() => {
    const element = content.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (stuck.current) follow()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [content, follow])

  const seen = useRef(mark)
  useEffect(() => {
    if (seen.current !== mark && !stuck.current) setNew(true)
    seen.current = mark
  }, [mark])

  return { isAway, hasNew, goThere, letGo }
}
