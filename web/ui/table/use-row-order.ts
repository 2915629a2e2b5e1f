import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { isSameOrder, moveBy, placeAt, placeUnder } from './order.ts'

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

interface Drag {
  id: string
  ids: string[]
}

/**
 * Moves rows by their handles: with the pointer or the arrow keys. The listeners are on the window,
 * because the handle moves in the document while it is dragged.
 */
export function useRowOrder(
  body: RefObject<HTMLElement | null>,
  ids: string[],
  onMove: ((ids: string[]) => void) | undefined,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const held = useRef<AbortController>(null)
  useEffect(() => () => held.current?.abort(), [])

  function begin(id: string, event: PointerEvent) {
    if (event.button !== 0) return
    let now = ids
    const listening = new AbortController()
    held.current = listening
    const { signal } = listening
    const follow = ({ clientY }: globalThis.PointerEvent) => {
      now = placeAt(now, id, placeUnder(clientY, middlesWithout(body.current, id)))
      setDrag({ id, ids: now })
      rowOf(body.current, id)?.scrollIntoView({ block: 'nearest' })
    }
    const end = (isSaved: boolean) => {
      listening.abort()
      setDrag(null)
      if (isSaved && !isSameOrder(now, ids)) onMove?.(now)
    }
    addEventListener('pointermove', follow, { signal })
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
    setDrag({ id, ids })
  }

  function step(id: string, name: string, event: KeyboardEvent) {
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = moveBy(ids, id, by)
    setAnnouncement(`${name}: место ${next.indexOf(id) + 1} из ${ids.length}`)
    if (!isSameOrder(next, ids)) onMove?.(next)
  }

  return { ids: drag?.ids ?? ids, draggedId: drag?.id ?? null, announcement, begin, step }
}

export type RowOrder = ReturnType<typeof useRowOrder>

function middlesWithout(body: HTMLElement | null, id: string): number[] {
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  return rows
    .filter((row) => row.dataset.row !== id)
    .map((row) => {
      const { top, height } = row.getBoundingClientRect()
      return top + height / 2
    })
}

function rowOf(body: HTMLElement | null, id: string): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null
}
