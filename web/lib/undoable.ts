import { createStore } from './create-store.ts'
import { callErrorText } from './error-text.ts'
import { notify } from './notify.ts'

/** Runs a destructive action after an 8 s undo toast; until then the item is only hidden. */

const UNDO_MS = 8000
const pendingIds = createStore<ReadonlySet<string>>(new Set())

const hide = (id: string) => pendingIds.set(new Set([...pendingIds.get(), id]))
const show = (id: string) => pendingIds.set(new Set([...pendingIds.get()].filter((each) => each !== id)))

interface UndoableAction {
  id: string
  title: string
  action: () => Promise<unknown>
  failed: string
}

/** Returns a function that runs the action at once, or waits for it; after an undo it does nothing. */
export function undoable({ id, title, action, failed }: UndoableAction): () => Promise<void> {
  if (pendingIds.get().has(id)) return () => Promise.resolve()
  const toast = `later:${id}`
  const go = () => void finish()
  const timer = setTimeout(go, UNDO_MS)
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
    show(id)
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
      notify.error({ title: failed, description: callErrorText(error) })
    }
    show(id)
  }

  hide(id)
  notify.info({
    id: toast,
    title,
    onClose: go,
    action: { label: 'Отменить', onClick: undo },
  })
  return finish
}

/** Ids that are hidden but not deleted yet. */
export const usePendingRemovals = pendingIds.use
export const isPendingRemoval = (id: string) => pendingIds.get().has(id)
