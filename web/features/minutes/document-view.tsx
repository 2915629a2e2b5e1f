import { useMutation } from '@tanstack/react-query'
import { type MouseEvent, useMemo, useState } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import { type MinutesDocument, type MinutesOffer, minutesApi, minutesTitles } from '#contract/minutes.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { formatSymbols, withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Copy, Download, Ellipsis, Pencil, RotateCcw, Square, Trash2 } from '#web/ui/icons.ts'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { type DraftPlace, readDraft } from './draft.ts'
import { isRunning, paidLabel, progressLabel, secondIn, withTimeLinks } from './labels.ts'
import { useDeleteMinutes, useStopMinutes } from './queries.ts'

export interface ShownRecording {
  id: string
  /** The address of its page. */
  href: string
  title: string
  lastSecond: number
  onPlay: (second: number) => void
}

interface DocumentViewProps {
  document: MinutesDocument
  offer: MinutesOffer | undefined
  recording: ShownRecording
  userId: string
  isStarting: boolean
  onMake: () => void
}

export function DocumentView(props: DocumentViewProps) {
  const { document, recording, userId } = props
  const place: DraftPlace = { userId, id: recording.id, kind: document.kind }
  const [isEditing, setEditing] = useState(() => readDraft(place) !== null)
  if (isEditing && document.text !== '' && !isRunning(document))
    return <DocumentEditor document={document} place={place} onDone={() => setEditing(false)} />
  return (
    <div className="flex flex-col gap-4">
      <Work {...props} />
      {document.text !== '' && (
        <>
          <Notes document={document} />
          <TimedText text={document.text} recording={recording} />
          <Tools {...props} onEdit={() => setEditing(true)} />
        </>
      )}
    </div>
  )
}

/** The work on a new text; nothing when there is none. */
function Work({ document, offer, recording, isStarting, onMake }: DocumentViewProps) {
  const stop = useStopMinutes(recording.id, document.kind)
  const { status, error, stepsDone, stepsTotal } = document
  if (status === 'ready') return null
  if (isRunning(document))
    return (
      <div className="flex flex-col gap-3 rounded-md bg-panel p-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="font-medium">
            {progressLabel(document)}
          </p>
          <Button size="sm" icon={<Square size={16} />} busy={stop.isPending} onClick={() => stop.mutate(undefined)}>
            Остановить
          </Button>
        </div>
        <Meter
          share={Math.max(0.03, stepsDone / Math.max(1, stepsTotal ?? 1))}
          className="h-1.5 animate-[breathe_1.6s_ease-in-out_infinite]"
        />
        <p className="text-sm text-muted">Страницу можно закрыть: работа идёт на сервере, текст будет ждать здесь.</p>
      </div>
    )
  const isStopped = status === 'stopped'
  return (
    <Callout
      tone={isStopped ? 'info' : 'danger'}
      title={isStopped ? 'Работа остановлена' : 'Не получилось'}
      action={
        <>
          {error?.code === 'out_of_symbols' && <ButtonLink href={paths.profile()}>Пополнить баланс</ButtonLink>}
          <Button variant="primary" icon={<RotateCcw size={18} />} busy={isStarting} onClick={onMake}>
            {withPrice('Продолжить', offer?.usual ?? null, 'about')}
          </Button>
        </>
      }
    >
      <p>{[error?.message, paidLabel(document)].filter(Boolean).join(' ')}</p>
    </Callout>
  )
}

function Notes({ document }: { document: MinutesDocument }) {
  if (isRunning(document))
    return <p className="text-sm text-muted">Ниже прежний текст: новый появится, когда будет готов целиком.</p>
  if (!document.outdated) return null
  return (
    <Callout tone="warning">Запись исправили после того, как был сделан этот текст. Его можно сделать заново.</Callout>
  )
}

/** Times play the recording; opened in a new tab, they lead to it. */
function TimedText({ text, recording }: { text: string; recording: ShownRecording }) {
  const { href, lastSecond, onPlay } = recording
  const linked = useMemo(() => withTimeLinks(text, href, lastSecond), [text, href, lastSecond])
  function play(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const second = secondIn(link?.getAttribute('href') ?? null, href)
    if (second === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    onPlay(second)
  }
  return (
    <div className="text-[15px] wrap-anywhere" onClickCapture={play}>
      <LazyMarkdown text={linked} />
    </div>
  )
}

function Tools({ document, offer, recording, isStarting, onMake, onEdit }: DocumentViewProps & { onEdit: () => void }) {
  const { kind, text, charged } = document
  const { id, title } = recording
  const remove = useDeleteMinutes(id, kind)
  const save = useMutation({
    mutationFn: () =>
      saveFile(addressOf(minutesApi.export, { params: { id, kind } }), `${minutesTitles[kind]} ${title}.docx`),
  })
  const isBusy = isRunning(document)
  return (
    <div data-screen-only className="flex flex-wrap items-center gap-2 border-t pt-3">
      <Button size="sm" icon={<Pencil size={16} />} disabled={isBusy} onClick={onEdit}>
        Править
      </Button>
      <Button size="sm" icon={<Download size={16} />} busy={save.isPending} onClick={() => save.mutate()}>
        Скачать Word
      </Button>
      <Button size="sm" icon={<Copy size={16} />} onClick={() => void copyAndReport(text)}>
        Копировать
      </Button>
      {document.status === 'ready' && offer && (
        <Button size="sm" icon={<RotateCcw size={16} />} busy={isStarting} onClick={onMake}>
          {withPrice('Сделать заново', offer.usual, 'about')}
        </Button>
      )}
      <Menu align="end" trigger={<IconButton size="sm" label="Ещё о документе" icon={<Ellipsis size={18} />} />}>
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => remove.mutate(undefined)}>
          Удалить документ
        </MenuItem>
      </Menu>
      {charged > 0 && <span className="figures ml-auto text-sm text-muted">{formatSymbols(charged)}</span>}
    </div>
  )
}
