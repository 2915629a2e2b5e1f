import { useSyncExternalStore } from 'react'
import { notify } from './notify.ts'

/** What cannot be taken back happens after a moment in which it can be called off. */

const MOMENT_MS = 8000
let leaving: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function set(change: (ids: Set<string>) => void) {
  const next = new Set(leaving)
  change(next)
  leaving = next
  for (const listener of listeners) listener()
}

interface Later {
  /** What goes; out of sight at once. */
  id: string
  title: string
  action: () => Promise<unknown>
  failed: string
}

export function undoable({ id, title, action, failed }: Later): void {
  if (leaving.has(id)) return
  const toast = `later:${id}`
  const go = () => void carryOut()
  const timer = setTimeout(go, MOMENT_MS)
  addEventListener('pagehide', go)
  let isOver = false

  function end(): boolean {
    if (isOver) return false
    isOver = true
    clearTimeout(timer)
    removeEventListener('pagehide', go)
    return true
  }
  async function carryOut() {
    if (!end()) return
    notify.close(toast)
    try {
      await action()
    } catch (error) {
      notify.error({ title: failed, description: error instanceof Error ? error.message : undefined })
    }
    set((ids) => ids.delete(id))
  }

  set((ids) => ids.add(id))
  notify.info({
    id: toast,
    title,
    onClose: go,
    action: { label: 'Отменить', onClick: () => end() && set((ids) => ids.delete(id)) },
  })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Those that are out of sight and not yet gone. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => leaving)
}
