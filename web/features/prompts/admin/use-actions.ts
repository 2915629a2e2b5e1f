import type { BulkAction } from '#contract/prompts-admin.ts'
import { notify } from '#web/lib/notify.ts'
import { useSession } from '#web/lib/session.ts'
import { useBulk } from './admin-queries.ts'
import { bulkLabel, undoOf } from './bulk-labels.ts'

/** Runs an action on one row or many, with «Отменить» where it can be undone. */
export function useActions(onDone: () => void) {
  const canPublish = useSession()?.role === 'admin'
  const { mutateAsync, isPending } = useBulk()

  async function run(action: BulkAction) {
    const result = await mutateAsync(action)
    const back = undoOf(action.action, result, canPublish)
    notify.success({
      title: bulkLabel(action.action, result.changed.length),
      ...(back.length > 0 && { action: { label: 'Отменить', onClick: () => void undo(back).catch(() => undefined) } }),
    })
    onDone()
  }

  async function undo(actions: BulkAction[]) {
    for (const action of actions) await mutateAsync(action)
  }

  return {
    // Errors are shown by the query client.
    action: (action: BulkAction) => void run(action).catch(() => undefined),
    canPublish,
    isActing: isPending,
  }
}
