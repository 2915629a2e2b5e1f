import { useState } from 'react'
import type { ImportRow } from '#contract/imports.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { paths } from '#web/lib/paths.ts'
import type { Waiting } from '#web/lib/send-in-chunks.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { cutOffLines, foundFacts, foundLabel, missingLines, resultLine, undoneLine } from './labels.ts'
import { useRemove, useStart } from './queries.ts'
import { Report } from './report.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { cancelSending, type Sending } from './uploads.ts'

interface ImportCardProps {
  row: ImportRow
  /** Set while this page uploads it. */
  sending: Sending | undefined
}

export function ImportCard({ row, sending }: ImportCardProps) {
  const { status, files, createdAt } = row
  const names = files.map(({ name, bytes }) => `${name}, ${formatBytes(bytes)}`).join('; ')
  return (
    <Card className="flex flex-col gap-4">
      <header>
        <h3 className="font-semibold wrap-anywhere">{titleOf(row)}</h3>
        <p className="text-sm text-muted wrap-anywhere">{names || formatDateTime(createdAt)}</p>
      </header>
      {status === 'uploading' && <Uploading row={row} sending={sending} />}
      {(status === 'queued' || status === 'working') && <Running row={row} />}
      {status === 'found' && <Found row={row} />}
      {status === 'done' && <Done row={row} />}
      {status === 'undone' && <Undone row={row} />}
      {status === 'failed' && <Failed row={row} />}
    </Card>
  )
}

function titleOf({ status, step, found }: ImportRow): string {
  if (status === 'uploading') return 'Загрузка архива'
  if (status === 'found') return found ? `Найдено: ${foundLabel(found)}` : 'Найдено'
  if (status === 'done') return 'Перенос закончен'
  if (status === 'undone') return 'Перенос отменён'
  if (status === 'failed') return 'Не получилось'
  return { check: 'Смотрим, что в архиве', store: 'Переносим чаты', undo: 'Отменяем перенос' }[step]
}

function Bar({ share, text }: { share: number; text: string }) {
  return (
    <div
      role="progressbar"
      aria-label={text}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <Meter share={share} className="h-2" />
      <p className="mt-1.5 text-sm text-muted">{text}</p>
    </div>
  )
}

function Uploading({ row, sending }: ImportCardProps) {
  const remove = useRemove(row.id)
  const [received, bytes] = row.files.reduce(([a, b], file) => [a + file.received, b + file.bytes], [0, 0])
  const share = sending?.progress ?? received / Math.max(1, bytes)
  const text = uploadText(sending?.waiting ?? null, share)
  return (
    <>
      {sending && !sending.error ? (
        <Bar share={share} text={text} />
      ) : (
        <Callout tone="warning" title="Загрузка прервалась">
          {sending?.error ?? 'Выберите те же файлы ещё раз, и она продолжится с того же места.'}
        </Callout>
      )}
      <Button
        className="self-start"
        busy={remove.isPending}
        onClick={() => {
          cancelSending(row.id)
          remove.mutate()
        }}
      >
        Отменить загрузку
      </Button>
    </>
  )
}

function uploadText(waiting: Waiting | null, share: number): string {
  if (!waiting) return `Загружено ${Math.floor(share * 100)} %. Не закрывайте страницу.`
  const { problem } = waiting
  return problem === null ? 'Ждём связь: загрузка продолжится сама.' : `Попробуем ещё раз. ${problem}`
}

function Running({ row }: { row: ImportRow }) {
  const [isUndoing, setUndoing] = useState(false)
  const remove = useRemove(row.id)
  const { step, status, progress } = row
  const text =
    status === 'queued' ? 'В очереди. Страницу можно закрыть.' : `Готово ${progress} %. Страницу можно закрыть.`
  return (
    <>
      <Bar share={progress / 100} text={text} />
      {step === 'check' && (
        <Button className="self-start" busy={remove.isPending} onClick={() => remove.mutate()}>
          Остановить
        </Button>
      )}
      {step === 'store' && (
        <Button className="self-start" onClick={() => setUndoing(true)}>
          Отменить перенос
        </Button>
      )}
      {isUndoing && <UndoDialog id={row.id} onClose={() => setUndoing(false)} />}
    </>
  )
}

function Found({ row }: { row: ImportRow }) {
  const start = useStart(row.id)
  const remove = useRemove(row.id)
  const { found } = row
  if (!found) return null
  const missing = missingLines(found)
  return (
    <>
      <Facts facts={foundFacts(found)} />
      {missing.length > 0 && (
        <div>
          <p className="font-medium">Что не перенесётся</p>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-[15px] text-muted">
            {missing.map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-sm text-pretty text-muted">
        Бесплатно. Чаты никуда не отправляются, пока вы не продолжите один из них.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={start.isPending} onClick={() => start.mutate()}>
          Перенести
        </Button>
        <Button busy={remove.isPending} onClick={() => remove.mutate()}>
          Не переносить
        </Button>
      </div>
    </>
  )
}

function Done({ row }: { row: ImportRow }) {
  const [isUndoing, setUndoing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { result } = row
  if (!result) return null
  const problems = result.skipped + result.partial
  const hasChats = result.added + result.grown > 0
  const hasProjects = result.projects + (result.documents ?? 0) > 0
  return (
    <>
      <p>{resultLine(result, row.found?.knownProjects)}</p>
      {row.found && cutOffLines(row.found).map((line) => <p key={line}>{line}</p>)}
      {problems > 0 && (
        <>
          <p className="text-muted">
            {result.skipped > 0 && `Не перенеслось: ${formatNumber(result.skipped)}. `}
            {result.partial > 0 && `Без части вложений: ${formatNumber(result.partial)}.`}
          </p>
          {isOpen && <Report id={row.id} />}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {hasChats && <ButtonLink href={paths.threads()}>К чатам</ButtonLink>}
        {hasProjects && <ButtonLink href={paths.projects()}>К проектам</ButtonLink>}
        {problems > 0 && <Button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Скрыть отчёт' : 'Что и почему'}</Button>}
        {(hasChats || hasProjects) && (
          <Button variant="ghost" onClick={() => setUndoing(true)}>
            Отменить перенос
          </Button>
        )}
      </div>
      {isUndoing && <UndoDialog id={row.id} onClose={() => setUndoing(false)} />}
    </>
  )
}

function Undone({ row }: { row: ImportRow }) {
  const remove = useRemove(row.id)
  const { kept = 0, keptProjects = 0 } = row.result ?? {}
  return (
    <>
      {row.result && <p>{undoneLine(row.result)}</p>}
      {kept + keptProjects === 0 && (
        <Button className="self-start" busy={remove.isPending} onClick={() => remove.mutate()}>
          Убрать из списка
        </Button>
      )}
    </>
  )
}

function Failed({ row }: { row: ImportRow }) {
  const [isUndoing, setUndoing] = useState(false)
  const start = useStart(row.id)
  const remove = useRemove(row.id)
  const canRetry = row.files.length > 0
  return (
    <>
      <ErrorNote text={row.error ?? 'Перенос прервался.'} />
      <div className="flex flex-wrap gap-2">
        {canRetry && (
          <Button variant="primary" busy={start.isPending} onClick={() => start.mutate()}>
            Повторить
          </Button>
        )}
        {row.step === 'check' ? (
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>
            Убрать
          </Button>
        ) : (
          <Button onClick={() => setUndoing(true)}>Отменить перенос</Button>
        )}
      </div>
      {isUndoing && <UndoDialog id={row.id} onClose={() => setUndoing(false)} />}
    </>
  )
}
