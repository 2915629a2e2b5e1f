import { type PointerEvent, useState } from 'react'
import type { Move } from './reorder.ts'

/** The row that is being dragged and where it would fall. */
export interface Drag {
  id: string
  target: Omit<Move, 'id'> | null
}

interface DragRules {
  /** May the one fall beside the other? */
  mayFall: (id: string, anchorId: string) => boolean
  onMove: (move: Move) => void
}

/** Drags a row of a table by its handle, with a mouse, a pen or a finger. Rows say who they are by `data-row`. */
export function useDrag({ mayFall, onMove }: DragRules) {
  const [drag, setDrag] = useState<Drag | null>(null)

  function targetAt({ clientX, clientY }: PointerEvent, id: string): Drag['target'] {
    const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-row]')
    const anchorId = row?.dataset.row
    if (!row || !anchorId || !mayFall(id, anchorId)) return null
    const { top, height } = row.getBoundingClientRect()
    return { anchorId, place: clientY < top + height / 2 ? 'before' : 'after' }
  }

  return {
    drag,
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ id, target: null })
      },
      onPointerMove: (event: PointerEvent) => {
        if (drag?.id === id) setDrag({ id, target: targetAt(event, id) })
      },
      onPointerUp: () => {
        if (drag?.id === id && drag.target) onMove({ id, ...drag.target })
        setDrag(null)
      },
      onPointerCancel: () => setDrag(null),
    }),
  }
}
