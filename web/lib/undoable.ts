import { createStore } from './create-store.ts'
import { notify } from './notify.ts'

/** Runs a destructive action after an 8 s undo toast; until then the item is only hidden. */

const UNDO_MS = 8000
const leaving = createStore<ReadonlySet<string>>(new Set())

const hide = (id: string) => leaving.set(new Set([...leaving.get(), id]))
const show = (id: string) => leaving.set(new Set([...leaving.get()].filter((each) => each !== id)))

interface UndoableAction {
  id: string
  title: string
  action: () => Promise<unknown>
  failed: string
}

export function undoable({ id, title, action, failed }: UndoableAction): void {
  if (leaving.get().has(id)) return
  const toast = `later:${id}`
  const go = () => void run()
  const timer = setTimeout(go, UNDO_MS)
  addEventListener('pagehide', go)
  let isOver = false

  function end(): boolean {
    if (isOver) return false
    isOver = true
    clearTimeout(timer)
    removeEventListener('pagehide', go)
    return true
  }
  async function run() {
    if (!end()) return
    notify.close(toast)
    try {
      await action()
    } catch (error) {
      notify.error({ title: failed, description: error instanceof Error ? error.message : undefined })
    }
    show(id)
  }

  hide(id)
  notify.info({
    id: toast,
    title,
    onClose: go,
    action: { label: 'Отменить', onClick: () => end() && show(id) },
  })
}

/** Ids that are hidden but not deleted yet. */
export const useLeaving = leaving.use
