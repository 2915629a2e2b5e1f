import { useState } from 'react'
import type { BadRow, ChangedField, ImportFormat, ImportItem, ImportPreview } from '#contract/prompts-admin.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import type { ChosenFile } from './read-file.ts'

interface ImportPlanProps {
  file: ChosenFile
  preview: ImportPreview
  errorText: string | undefined
  isBusy: boolean
  onApply: (hash: string) => void
  onPreviewAgain: () => void
  onBack: () => void
}

type ItemResult = ImportItem['action'] | 'bad'
const labels: Record<ItemResult, string> = {
  add: 'Добавятся',
  change: 'Изменятся',
  same: 'Без изменений',
  bad: 'Ошибки',
}

export function ImportPlan({ file, preview, errorText, isBusy, onApply, onPreviewAgain, onBack }: ImportPlanProps) {
  const { items, bad, hash } = preview
  const of = (action: ItemResult) =>
    action === 'bad' ? bad.length : items.filter((item) => item.action === action).length
  const options = (['add', 'change', 'same', 'bad'] as const)
    .filter((value) => of(value) > 0)
    .map((value) => ({ value, label: `${labels[value]} ${formatNumber(of(value))}` }))
  const [chosen, setChosen] = useState<ItemResult>()
  const shown = options.find(({ value }) => value === chosen)?.value ?? options[0]?.value ?? 'add'
  const taken = of('add') + of('change')
  return (
    <>
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pb-5 *:shrink-0">
        <p className="text-muted wrap-anywhere">{file.name}</p>
        <div className="-mx-5 overflow-x-auto px-5">
          <div className="w-max">
            <Segmented label="Какие строки показать" value={shown} options={options} onChange={setChosen} />
          </div>
        </div>
        {shown === 'bad' ? (
          <BadRows rows={bad} format={file.format} />
        ) : (
          <Items items={items.filter(({ action }) => action === shown)} />
        )}
        <ErrorNote text={errorText} />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-4">
        {bad.length > 0 && taken > 0 && (
          <p className="mr-auto text-muted text-sm">
            {plural(bad.length, 'Строка', 'Строки', 'Строки')} с ошибками ({formatNumber(bad.length)}) будут пропущены.
          </p>
        )}
        <Button variant="ghost" disabled={isBusy} onClick={onBack}>
          Другой файл
        </Button>
        {errorText ? (
          <Button variant="primary" busy={isBusy} onClick={onPreviewAgain}>
            Проверить ещё раз
          </Button>
        ) : (
          <Button variant="primary" busy={isBusy} disabled={taken === 0} onClick={() => onApply(hash)}>
            {taken === 0
              ? 'Менять нечего'
              : `Импортировать ${formatNumber(taken)} ${plural(taken, 'промпт', 'промпта', 'промптов')}`}
          </Button>
        )}
      </div>
    </>
  )
}

const fieldNames: Record<ChangedField, string> = {
  title: 'название',
  description: 'описание',
  category: 'категория',
  content: 'текст',
  published: 'публикация',
  position: 'порядок',
}
/** Longer lists show only their count. */
const MAX_SHOWN = 200

function Items({ items }: { items: ImportItem[] }) {
  return (
    <div>
      <ul className="max-h-[45dvh] overflow-y-auto rounded-md border text-sm">
        {items.slice(0, MAX_SHOWN).map(({ line, title, category, fields }) => (
          <li key={line} className="flex flex-wrap items-baseline gap-x-3 border-b px-3 py-2 last:border-0">
            <span className="figures w-10 shrink-0 text-muted">{line}</span>
            <span className="min-w-40 flex-1 wrap-anywhere">{title}</span>
            <span className="text-muted">
              {fields.length > 0 ? fields.map((name) => fieldNames[name]).join(', ') : category}
            </span>
          </li>
        ))}
      </ul>
      {items.length > MAX_SHOWN && (
        <p className="mt-2 text-muted text-sm">И ещё {formatNumber(items.length - MAX_SHOWN)}.</p>
      )}
    </div>
  )
}

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

interface BadRowsProps {
  rows: BadRow[]
  /** The number is a line in CSV and a record in JSON. */
  format: ImportFormat | null
}

function BadRows({ rows, format }: BadRowsProps) {
  return (
    <table className="w-full border-collapse text-left text-sm">
      <thead className="text-muted">
        <tr className="border-b">
          <th scope="col" className="py-1.5 pr-3 font-medium">
            {format === 'json' ? 'Запись' : 'Строка'}
          </th>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Название
          </th>
          <th scope="col" className="py-1.5 font-medium">
            Что не так
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, title, reason }) => (
          <tr key={`${line}-${reason}`} className="border-b align-top last:border-0">
            <td className="figures py-2 pr-3">{line}</td>
            <td className="max-w-48 py-2 pr-3 wrap-anywhere">
              <span className="line-clamp-2">{title || '—'}</span>
            </td>
            <td className="py-2 text-danger">{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
