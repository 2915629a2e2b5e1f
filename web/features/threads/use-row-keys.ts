import { type FocusEvent, type KeyboardEvent, useCallback, useRef, useState } from 'react'

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** The keyboard in a long list of links: one stop for Tab, arrows between the rows, F2 to rename. */
export function useRowKeys(ids: string[], startId: string | null, onRename: (id: string) => void) {
  const list = useRef<HTMLDivElement>(null)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const tabStopId = [focusedId, startId].find((id) => id !== null && ids.includes(id)) ?? ids[0]
  const focusRow = useCallback((id: string) => {
    list.current?.querySelector<HTMLElement>(`[data-thread="${CSS.escape(id)}"] a`)?.focus()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    const id = event.target instanceof HTMLAnchorElement ? rowOf(event.target) : null
    if (!id) return
    const next = ids[ids.indexOf(id) + (steps[event.key] ?? Number.NaN)]
    if (event.key === 'F2') onRename(id)
    else if (next) focusRow(next)
    else return
    event.preventDefault()
  }

  return {
    tabStopId,
    focusRow,
    listProps: { ref: list, onKeyDown, onFocus: (event: FocusEvent) => setFocusedId(rowOf(event.target)) },
  }
}

function rowOf(element: Element): string | null {
  return element.closest<HTMLElement>('[data-thread]')?.dataset.thread ?? null
}
