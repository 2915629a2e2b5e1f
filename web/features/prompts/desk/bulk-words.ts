import type { BulkAct, BulkResult } from '#contract/prompt-desk.ts'
import { formatNumber, plural } from '#web/lib/format.ts'

const done: Record<BulkAct['act'], [one: string, many: string]> = {
  publish: ['Опубликован', 'Опубликовано'],
  unpublish: ['Снят с публикации', 'Сняты с публикации'],
  categorise: ['Сменил категорию', 'Сменили категорию'],
  delete: ['Удалён', 'Удалено'],
  restore: ['Возвращён', 'Возвращено'],
}

/** «Удалено 3 промпта»; «Удалён 1 промпт». */
export function bulkWords(act: BulkAct['act'], count: number): string {
  if (count === 0) return 'Менять было нечего: всё уже так'
  const isOne = count % 10 === 1 && count % 100 !== 11
  return `${done[act][isOne ? 0 : 1]} ${formatNumber(count)} ${plural(count, 'промпт', 'промпта', 'промптов')}`
}

/** What takes it back; nothing where that would need more rights than one has. */
export function undoOf(act: BulkAct['act'], { changed }: BulkResult, canPublish: boolean): BulkAct[] {
  const ids = changed.map(({ id }) => id)
  if (ids.length === 0 || (act === 'unpublish' && !canPublish)) return []
  if (act === 'categorise') {
    const categories = new Set(changed.map(({ category }) => category))
    return [...categories].map((category) => ({
      act: 'categorise',
      category,
      ids: changed.filter((one) => one.category === category).map(({ id }) => id),
    }))
  }
  return [{ act: opposite[act], ids }]
}

const opposite = { publish: 'unpublish', unpublish: 'publish', delete: 'restore', restore: 'delete' } as const
