import type { BulkAct } from '#contract/prompt-desk.ts'
import { notify } from '#web/lib/notify.ts'
import { useSession } from '#web/lib/session.ts'
import { bulkWords, undoOf } from './bulk-words.ts'
import { useBulk } from './desk-queries.ts'

/** Acts on one row or many, with «Отменить» where it can be taken back. */
export function useActs(onDone: () => void) {
  const canPublish = useSession()?.role === 'admin'
  const { mutateAsync, isPending } = useBulk()

  async function run(act: BulkAct) {
    const result = await mutateAsync(act)
    const back = undoOf(act.act, result, canPublish)
    notify.success({
      title: bulkWords(act.act, result.changed.length),
      ...(back.length > 0 && { action: { label: 'Отменить', onClick: () => void undo(back).catch(() => undefined) } }),
    })
    onDone()
  }

  async function undo(acts: BulkAct[]) {
    for (const act of acts) await mutateAsync(act)
  }

  return {
    // A refusal is told by the query client.
    act: (act: BulkAct) => void run(act).catch(() => undefined),
    canPublish,
    isActing: isPending,
  }
}
