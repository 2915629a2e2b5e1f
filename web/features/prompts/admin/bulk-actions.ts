import type { BulkAction, BulkResult } from '#contract/prompts-admin.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { notify } from '#web/lib/notify.ts'
import { useSession } from '#web/lib/session.ts'
import { useBulk } from './queries.ts'

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

const done: Record<BulkAction['action'], [one: string, many: string]> = {
  publish: ['Опубликован', 'Опубликовано'],
  unpublish: ['Снят с публикации', 'Сняты с публикации'],
  categorise: ['Сменил категорию', 'Сменили категорию'],
  delete: ['Удалён', 'Удалено'],
  restore: ['Возвращён', 'Возвращено'],
}

/** «Удалено 3 промпта»; «Удалён 1 промпт». */
export function bulkLabel(action: BulkAction['action'], count: number): string {
  if (count === 0) return 'Менять было нечего: всё уже так'
  const isOne = count % 10 === 1 && count % 100 !== 11
  return `${done[action][isOne ? 0 : 1]} ${formatNumber(count)} ${plural(count, 'промпт', 'промпта', 'промптов')}`
}

/** The actions that undo it; none when the user lacks the rights for them. */
export function undoOf(action: BulkAction['action'], { changed }: BulkResult, canPublish: boolean): BulkAction[] {
  const ids = changed.map(({ id }) => id)
  if (ids.length === 0 || (action === 'unpublish' && !canPublish)) return []
  if (action === 'categorise') {
    const categories = new Set(changed.map(({ category }) => category))
    return [...categories].map((category) => ({
      action: 'categorise',
      category,
      ids: changed.filter((one) => one.category === category).map(({ id }) => id),
    }))
  }
  return [{ action: opposite[action], ids }]
}

const opposite = { publish: 'unpublish', unpublish: 'publish', delete: 'restore', restore: 'delete' } as const
