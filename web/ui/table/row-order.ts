import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

interface Drag {
  id: string
  ids: string[]
}

export interface MoveRules {
  /** Allows moving rows; called with all visible ids in their new order and the id that moved. */
  onMove?: ((ids: string[], id: string) => void) | undefined
  /** Whether a row may have this new place; without it any place is allowed. */
  canPlace?: (ids: string[], id: string) => boolean
}

/**
 * Moves rows by their handles: with the pointer or the arrow keys. The listeners are on the window,
 * because the handle moves in the document while it is dragged.
 */
export function useRowOrder(body: RefObject<HTMLElement | null>, ids: string[], { onMove, canPlace }: MoveRules) {
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
      const next = moveTo(now, id, dropIndexAt(clientY, middlesWithout(body.current, id)))
      if (isAllowed(next, id)) now = next
      setDrag({ id, ids: now })
      rowOf(body.current, id)?.scrollIntoView({ block: 'nearest' })
    }
    const end = (isSaved: boolean) => {
      listening.abort()
      setDrag(null)
      if (isSaved && !isSameOrder(now, ids)) onMove?.(now, id)
    }
    addEventListener('pointermove', follow, { signal })
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
    setDrag({ id, ids })
  }

  function isAllowed(next: string[], id: string): boolean {
    return isSameOrder(next, ids) || (canPlace?.(next, id) ?? true)
  }

  /** The nearest allowed place in this direction, or the order as it is. */
  function stepBy(id: string, by: number): string[] {
    for (let steps = by; Math.abs(steps) < ids.length; steps += by) {
      const next = moveBy(ids, id, steps)
      if (!isSameOrder(next, ids) && isAllowed(next, id)) return next
    }
    return ids
  }

  function step(id: string, name: string, event: KeyboardEvent) {
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = stepBy(id, by)
    setAnnouncement(`${name}: место ${next.indexOf(id) + 1} из ${ids.length}`)
    if (!isSameOrder(next, ids)) onMove?.(next, id)
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

export function moveTo(ids: readonly string[], id: string, index: number): string[] {
  const rest = ids.filter((each) => each !== id)
  return [...rest.slice(0, index), id, ...rest.slice(index)]
}

/** Moves by steps, not past the ends of the list. */
export function moveBy(ids: readonly string[], id: string, steps: number): string[] {
  const index = Math.min(Math.max(ids.indexOf(id) + steps, 0), ids.length - 1)
  return moveTo(ids, id, index)
}

/** The whole list after its visible part was reordered: hidden rows keep their positions. */
export function mergeOrder(all: readonly string[], visible: readonly string[]): string[] {
  const shown = new Set(visible)
  const queue = visible.values()
  return all.map((id) => (shown.has(id) ? (queue.next().value ?? id) : id))
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}

/** The drop position: after all rows whose middle is above the pointer. */
export function dropIndexAt(y: number, middles: readonly number[]): number {
  return middles.filter((middle) => middle < y).length
}
