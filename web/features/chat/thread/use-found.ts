import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { threadsApi } from '#contract/threads.ts'
import { api } from '#web/lib/api.ts'
import { markFound, unmarkFound } from '#web/ui/found-marks.ts'
import { rowId } from '../messages/selected-in.ts'
import { reachMessage } from '../queries.ts'
import { foundRanges, scrollToRange } from './found-ranges.ts'

/** A place: the message, and which of the places in it; -1 is the last one. */
interface Place {
  id: string
  index: number
}

const rowOf = (id: string) => document.getElementById(rowId(id))

/** The messages with the words, and the place that is shown; `step` goes to the next or the previous one. */
export function useFound(threadId: string, query: string, onReach: () => void) {
  const client = useQueryClient()
  const { data: ids, error } = useQuery({
    queryKey: ['thread', threadId, 'find', query],
    queryFn: ({ signal }) => api(threadsApi.find, { params: { id: threadId }, query: { query } }, { signal }),
    enabled: query !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { silent: true },
  })
  const [place, setPlace] = useState<Place | null>(null)

  const go = useCallback(
    async (next: Place) => {
      setPlace(next)
      onReach()
      const isReached = await reachMessage(client, threadId, next.id).catch(() => false)
      // The rows are rendered after this pause.
      await new Promise((resolve) => setTimeout(resolve, 50))
      const row = isReached ? rowOf(next.id) : null
      row?.scrollIntoView({ block: 'nearest' })
      row?.querySelector<HTMLElement>('[data-unfold][aria-expanded="false"]')?.click()
      // Another object, so that the place is shown again now that it is there.
      setPlace((now) => (now === next ? { ...next } : now))
    },
    [client, threadId, onReach],
  )

  useEffect(() => {
    const first = ids && nearest(ids)
    if (first) void go({ id: first, index: 0 })
    else setPlace(null)
  }, [ids, go])
  usePaint(query, ids, place)

  function step(direction: 1 | -1) {
    if (!ids || !place) return
    const row = rowOf(place.id)
    const count = row ? foundRanges(row, query).length : 0
    const index = (place.index < 0 ? count - 1 : place.index) + direction
    if (index >= 0 && index < count) return setPlace({ id: place.id, index })
    const id = ids.at((ids.indexOf(place.id) + direction) % ids.length)
    if (id) void go({ id, index: direction > 0 ? 0 : -1 })
  }

  return { count: ids?.length ?? null, at: place && ids ? ids.indexOf(place.id) + 1 : 0, error, step }
}

/** The first one from the upper edge of the window on; of those above it, the last. */
function nearest(ids: string[]): string | undefined {
  const isBelow = (id: string) => (rowOf(id)?.getBoundingClientRect().bottom ?? 0) > 0
  return ids.find(isBelow) ?? ids.at(-1)
}

const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Marks the words in all rendered messages, also after these change, and keeps the place in view until the next input. */
function usePaint(query: string, ids: string[] | undefined, place: Place | null) {
  const isFree = useRef(false)
  useEffect(() => {
    const paint = () => {
      const rows = (ids ?? []).flatMap((id) => rowOf(id) ?? [])
      const current = place && rowOf(place.id)
      const shown = current ? foundRanges(current, query).at(place.index) : undefined
      markFound(
        rows.flatMap((row) => foundRanges(row, query)),
        shown,
      )
      if (shown && !isFree.current) scrollToRange(shown)
    }
    isFree.current = false
    paint()
    let frame = 0
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(paint)
    })
    const log = document.querySelector('[role="log"]')
    if (log) observer.observe(log, { childList: true, subtree: true, characterData: true })
    const free = () => {
      isFree.current = true
    }
    for (const input of inputs) addEventListener(input, free, { passive: true, capture: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      for (const input of inputs) removeEventListener(input, free, { capture: true })
    }
  }, [query, ids, place])
  useEffect(() => unmarkFound, [])
}
