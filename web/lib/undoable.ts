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

/** Returns a function that runs the action at once, or waits for it; after an undo it does nothing. */
export function undoable({ id, title, action, failed }: Later): () => Promise<void> {
  if (leaving.has(id)) return () => Promise.resolve()
  const toast = `later:${id}`
  const go = () => void finish()
  const timer = setTimeout(go, MOMENT_MS)
  addEventListener('pagehide', go)
  let result: Promise<void> | null = null

  function finish(): Promise<void> {
    result ??= carryOut()
    return result
  }
  function undo() {
    if (result !== null) return
    result = Promise.resolve()
    end()
    set((ids) => ids.delete(id))
  }
  function end() {
    clearTimeout(timer)
    removeEventListener('pagehide', go)
  }
  async function carryOut() {
    end()
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
    action: { label: 'Отменить', onClick: undo },
  })
  return finish
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Those that are out of sight and not yet gone. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => leaving)
}
