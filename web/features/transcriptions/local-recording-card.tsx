import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useProfile } from '#web/features/users/queries.ts'
import { withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import type { Waiting } from '#web/lib/send-in-chunks.ts'
import { maySpend } from '#web/lib/spend-rule.ts'
import { undoable } from '#web/lib/undoable.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { FileAudio, Mic, Trash2, X } from '#web/ui/icons.ts'
import { Meter } from '#web/ui/meter.tsx'
import { formatClock, formatPrice, formatSize, namedPrice } from './labels.ts'
import type { LocalRecording } from './local/recordings.ts'
import { cancelUpload, discardRecording, startUpload } from './local/uploads.ts'
import type { OptionsState } from './option-fields.tsx'
import { PlayerBar, usePlayer } from './view/player-bar.tsx'

interface LocalRecordingCardProps {
  recording: LocalRecording
  options: OptionsState
}

/** A recording in this browser: waiting for confirmation of its price, or uploading. */
export function LocalRecordingCard({ recording, options }: LocalRecordingCardProps) {
  const client = useQueryClient()
  const { name, title, kind, blob, seconds, sending, error, question } = recording
  const shown = title ?? name
  const facts = [seconds === null ? null : formatClock(seconds), formatSize(blob.size)].filter(Boolean)
  return (
    <li aria-label={shown} className="flex flex-col gap-3 rounded-md border bg-surface p-4">
      <div className="flex items-start gap-3">
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-md bg-hover text-muted">
          {kind === 'voice' ? <Mic size={20} /> : <FileAudio size={20} />}
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium" title={shown}>
            {shown}
          </p>
          <p className="figures text-sm text-muted">{facts.join(' · ')}</p>
        </div>
        {!sending && (
          <IconButton
            label={`Убрать «${shown}»`}
            icon={<Trash2 size={20} />}
            onClick={() => discard(client, recording)}
          />
        )}
      </div>
      {kind === 'voice' && !sending && <Listen blob={blob} seconds={seconds} />}
      {question && (
        <p role="alert" className="text-sm text-pretty">
          {question}
        </p>
      )}
      {sending ? <UploadingRecording recording={recording} /> : <Offer recording={recording} options={options} />}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </li>
  )
}

/** A voice recording cannot be repeated: it is deleted only after the undo toast. */
function discard(client: QueryClient, recording: LocalRecording) {
  const { id, title, name } = recording
  undoable({
    id,
    title: `Запись «${title ?? name}» убрана`,
    failed: 'Не удалось убрать запись',
    action: () => discardRecording(client, recording),
  })
}

function Offer({ recording, options }: LocalRecordingCardProps) {
  const client = useQueryClient()
  const { data: profile } = useProfile()
  const available = profile?.SingleSubscription.availableTokens ?? null
  const minutePrice = options.model?.minutePrice ?? null
  const price = formatPrice(recording.seconds, { minutePrice, available })
  const most = namedPrice(recording.seconds, minutePrice)
  async function start() {
    const spend = { what: 'Расшифровка', action: 'Расшифровать', most: price.symbols }
    if (!(await maySpend(profile?.SingleSubscription, spend))) return
    await startUpload(client, recording.id, { ...options.body, ...(most !== undefined && { most }) })
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className={price.isShort ? 'text-sm text-danger' : 'figures text-sm text-muted'}>{price.text}</p>
      <div className="flex flex-wrap gap-2">
        {price.isShort && <ButtonLink href={paths.profile()}>Пополнить</ButtonLink>}
        <Button variant="primary" disabled={!options.model || price.isShort} onClick={() => void start()}>
          {withPrice(recording.error ? 'Попробовать снова' : 'Расшифровать', price.symbols)}
        </Button>
      </div>
    </div>
  )
}

function UploadingRecording({ recording: { id, name, sending } }: { recording: LocalRecording }) {
  const client = useQueryClient()
  if (!sending) return null
  const percent = Math.floor(sending.progress * 100)
  const words = uploadText(sending.waiting, percent)
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p role="status" className="figures mb-1.5 text-sm text-muted">
          {words}
        </p>
        <Meter share={sending.progress} tone={sending.waiting ? 'warning' : 'neutral'} className="h-1.5" />
      </div>
      <Button
        size="sm"
        variant="ghost"
        icon={<X size={16} />}
        aria-label={`Отменить загрузку «${name}»`}
        onClick={() => void cancelUpload(client, id)}
      >
        Отменить
      </Button>
    </div>
  )
}

function uploadText(waiting: Waiting | null, percent: number): string {
  if (!waiting) return `Загружается: ${percent}\u00a0%`
  const { problem } = waiting
  return problem === null
    ? `Нет связи, продолжим с ${percent}\u00a0%`
    : `Попробуем с ${percent}\u00a0% ещё раз. ${problem}`
}

/** A recording that was just made, in the product's own player. */
function Listen({ blob, seconds }: Pick<LocalRecording, 'blob' | 'seconds'>) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url && <Player src={url} seconds={seconds} />
}

function Player({ src, seconds }: { src: string; seconds: number | null }) {
  return <PlayerBar src={src} player={usePlayer(seconds)} className="" />
}
