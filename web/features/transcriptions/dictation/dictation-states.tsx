import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import { type Transcription, transcriptionsApi } from '#contract/transcriptions.ts'
import { withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { saveBlob, saveFile } from '#web/lib/save-file.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Download, RotateCcw } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { errorLabel, formatPrice, retryPrice } from '../labels.ts'
import type { LocalRecording } from '../local/recordings.ts'
import { transcriptionQuery, useRetryFor, useSpeechModels, useStop, useTranscriptionEvents } from '../queries.ts'
import { useAvailable } from './use-available.ts'

interface UnsentProps {
  recording: LocalRecording
  minutePrice: number | null
  onSend: () => void
  onClose: () => void
}

/** A dictation that is still in this browser: uploading, rejected, or too expensive for the balance. */
export function Unsent({ recording, minutePrice, onSend, onClose }: UnsentProps) {
  const available = useAvailable()
  if (recording.sending) return <Waiting text="Отправляем запись…" />
  const price = formatPrice(recording.seconds, { minutePrice, available })
  return (
    <div className="p-2">
      <Callout
        tone={price.isShort || recording.question ? 'warning' : 'danger'}
        title={unsentTitle(recording, price.isShort)}
        action={
          <>
            {price.isShort && (
              <ButtonLink size="sm" href={paths.profile()}>
                Пополнить
              </ButtonLink>
            )}
            <Button size="sm" icon={<RotateCcw size={16} />} disabled={price.isShort} onClick={onSend}>
              {withPrice(recording.question ? 'Расшифровать' : 'Попробовать снова', price.symbols)}
            </Button>
            <SaveButton onSave={() => saveBlob(recording.blob, recording.name)} />
            <CloseButton onClose={onClose} />
          </>
        }
      >
        {recording.error ?? recording.question ?? price.text} Запись сохранена в «Расшифровке».
      </Callout>
    </div>
  )
}

const unsentTitle = ({ question }: LocalRecording, isShort: boolean) =>
  isShort ? 'Не хватает символов на расшифровку' : question ? 'Цена выше названной' : 'Запись не отправилась'

interface TranscribingProps {
  id: string
  onText: (text: string) => void
  onClose: () => void
}

/** A dictation that the server has: its text goes into the message as soon as it is ready. */
export function Transcribing({ id, onText, onClose }: TranscribingProps) {
  useTranscriptionEvents()
  const query = useQuery(transcriptionQuery(id))
  const stop = useStop(id)
  const { data: recording } = query
  const isGiven = useRef(false)
  useEffect(() => {
    if (recording?.status !== 'ready' || recording.text.trim() === '' || isGiven.current) return
    isGiven.current = true
    onText(recording.text)
    onClose()
  }, [recording, onText, onClose])
  if (!recording && query.isError) return <QueryError query={query} />
  if (recording?.status === 'failed') return <Failed recording={recording} onClose={onClose} />
  if (recording?.status === 'ready')
    return (
      <div className="p-2">
        <Callout tone="info" title="В записи не слышно слов" action={<CloseButton onClose={onClose} />}>
          Проверьте микрофон и скажите ещё раз. Запись осталась в «Расшифровке».
        </Callout>
      </div>
    )
  return (
    <Waiting text="Расшифровываем…">
      <Button size="sm" variant="ghost" busy={stop.isPending} onClick={() => stop.mutate()}>
        Остановить
      </Button>
    </Waiting>
  )
}

function Failed({ recording, onClose }: { recording: Transcription; onClose: () => void }) {
  const { id, title, error, charged, modelId } = recording
  const { data: models = [] } = useSpeechModels()
  const retry = useRetryFor(id)
  const model = models.find((candidate) => candidate.id === modelId) ?? models[0]
  const price = model ? retryPrice(recording, model) : null
  return (
    <div className="p-2">
      <Callout
        tone={error?.code === 'stopped' ? 'info' : 'danger'}
        title={error?.code === 'stopped' ? 'Расшифровка остановлена' : 'Расшифровать не получилось'}
        action={
          <>
            {error?.code === 'out_of_symbols' && (
              <ButtonLink size="sm" href={paths.profile()}>
                Пополнить
              </ButtonLink>
            )}
            <Button
              size="sm"
              icon={<RotateCcw size={16} />}
              busy={retry.isPending}
              onClick={() => void retry.start(model?.id ?? null, price)}
            >
              {withPrice('Повторить', price)}
            </Button>
            <SaveButton onSave={() => void saveFile(addressOf(transcriptionsApi.audio, { params: { id } }), title)} />
            <CloseButton onClose={onClose} />
          </>
        }
      >
        {errorLabel(error, charged)} Запись сохранена в «Расшифровке».
      </Callout>
    </div>
  )
}

function Waiting({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 border-b px-4 py-2">
      <p role="status" className="animate-[breathe_1.6s_ease-in-out_infinite] text-sm text-muted">
        {text}
      </p>
      {children}
    </div>
  )
}

const SaveButton = ({ onSave }: { onSave: () => void }) => (
  <Button size="sm" icon={<Download size={16} />} onClick={onSave}>
    Скачать запись
  </Button>
)

const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <Button size="sm" variant="ghost" onClick={onClose}>
    Закрыть
  </Button>
)
