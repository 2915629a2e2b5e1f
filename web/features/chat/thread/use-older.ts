import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { loadOlder } from '../queries.ts'

const AHEAD = '1200px 0px 0px'

interface Anchor {
  id: string
  top: number
  /** Whether the browser held an anchor of its own. */
  before: string
}

const { style } = document.documentElement

/** A row in view, and how far from the top of the page it is. */
function pickAnchor(list: HTMLElement): Anchor | null {
  for (const row of list.children) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0) return { id: row.id, top: top + scrollY, before: style.overflowAnchor }
  }
  return null
}

/** Loads earlier messages as one scrolls up; what one reads stays where it is. */
export function useOlder(threadId: string, list: RefObject<HTMLElement | null>, firstId: string | undefined) {
  const client = useQueryClient()
  const sentinel = useRef<HTMLDivElement>(null)
  const anchor = useRef<Anchor | null>(null)
  const isBusy = useRef(false)
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')

  const load = useCallback(async () => {
    if (isBusy.current) return
    isBusy.current = true
    setState('loading')
    try {
      await loadOlder(client, threadId, () => {
        anchor.current = list.current && pickAnchor(list.current)
        // The browser would hold its own anchor, but not at the very top; one of us is enough.
        style.overflowAnchor = 'none'
      })
      setState('idle')
    } catch {
      setState('failed')
    }
    isBusy.current = false
  }, [client, threadId, list])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another first message is what moves the rest
  useLayoutEffect(() => {
    const held = anchor.current
    anchor.current = null
    if (!held) return
    const row = document.getElementById(held.id)
    if (row) scrollBy({ top: row.getBoundingClientRect().top + scrollY - held.top, behavior: 'instant' })
    style.overflowAnchor = held.before
  }, [firstId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: with a new page on top the place is looked at again
  useEffect(() => {
    const element = sentinel.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void load()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [load, firstId])

  return { sentinel, state, load }
}
