import type { ImportPreview } from '#contract/prompts-admin.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { BadRows } from './bad-rows.tsx'

interface ImportReportProps {
  result: ImportPreview
  onAgain: () => void
  onClose: () => void
}

export function ImportReport({ result: { items, bad }, onAgain, onClose }: ImportReportProps) {
  const of = (action: 'add' | 'change' | 'same') => formatNumber(items.filter((item) => item.action === action).length)
  return (
    <>
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pb-5 *:shrink-0">
        <Callout tone={bad.length > 0 ? 'warning' : 'success'}>
          <span role="status">
            Добавлено {of('add')}, изменено {of('change')}, без изменений {of('same')}, с ошибками{' '}
            {formatNumber(bad.length)}.
          </span>
        </Callout>
        {bad.length > 0 && (
          <>
            <p className="text-muted">Исправьте эти строки и загрузите файл ещё раз: остальное не повторится.</p>
            <BadRows rows={bad} format={null} />
          </>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-4">
        <Button variant="ghost" onClick={onAgain}>
          Ещё файл
        </Button>
        <Button variant="primary" onClick={onClose}>
          Готово
        </Button>
      </div>
    </>
  )
}
