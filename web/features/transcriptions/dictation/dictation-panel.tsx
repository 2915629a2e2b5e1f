import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { message } from '#web/lib/notify.ts'
import { useSession } from '#web/lib/session.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Square, X } from '#web/ui/icons.ts'
import { formatPrice, namedPrice } from '../labels.ts'
import { findRecording, type LocalRecording } from '../local/recordings.ts'
import { startUpload } from '../local/uploads.ts'
import { useTranscriptionOptions } from '../option-fields.tsx'
import { useSpeechModels } from '../queries.ts'
import { useRecorder } from '../voice/use-recorder.ts'
import { Levels, RecorderError, Timer, useRecordedSeconds } from '../voice/voice-panel.tsx'
import { Transcribing, Unsent } from './dictation-states.tsx'
import { useAvailable } from './use-available.ts'

interface DictationPanelProps {
  onText: (text: string) => void
  onClose: () => void
}

/**
 * Speech becomes text of the message. Each dictation is also a recording in «Расшифровка»: its text, sound and
 * charge are found there, whatever happens here.
 */
export function DictationPanel({ onText, onClose }: DictationPanelProps) {
  const client = useQueryClient()
  const { data: models = [] } = useSpeechModels()
  const options = useTranscriptionOptions(models)
  const minutePrice = options.model?.minutePrice ?? null
  const available = useAvailable()
  const voice = useRecorder(useSession()?.id ?? '', 'Диктовка')
  const [unsent, setUnsent] = useState<LocalRecording | null>(null)
  const [sentId, setSentId] = useState<string | null>(null)
  const { start } = voice
  useEffect(() => void start(), [start])
  useSavedNotice(voice.state === 'recording')

  async function send(recording: LocalRecording) {
    setUnsent({ ...recording, error: null, question: null, sending: { progress: 0, waiting: null } })
    const most = namedPrice(recording.seconds, minutePrice)
    await startUpload(client, recording.id, { ...options.body, ...(most !== undefined && { most }) })
    const left = findRecording(recording.id)
    setUnsent(left ?? null)
    if (!left) setSentId(recording.id)
  }

  async function stop() {
    const saved = await voice.end(true)
    if (!saved) return onClose()
    if (formatPrice(saved.seconds, { minutePrice, available }).isShort) setUnsent(saved)
    else await send(saved)
  }

  if (sentId) return <Transcribing id={sentId} onText={onText} onClose={onClose} />
  if (unsent)
    return <Unsent recording={unsent} minutePrice={minutePrice} onSend={() => void send(unsent)} onClose={onClose} />
  if (voice.state === 'denied' || voice.state === 'missing')
    return (
      <div className="p-2">
        <RecorderError voice={voice} onClose={onClose} />
      </div>
    )
  const isRunning = voice.state === 'recording'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2">
      <p role="status" className={isRunning ? 'sr-only' : 'text-sm text-muted'}>
        {isRunning ? 'Идёт запись' : voice.state === 'ending' ? 'Сохраняем запись' : 'Разрешите доступ к микрофону'}
      </p>
      {isRunning && (
        <>
          <Timer recorder={voice.recorder} className="text-sm" />
          <Levels recorder={voice.recorder} isRunning className="h-6 min-w-0 flex-1 justify-end overflow-hidden" />
          <Button size="sm" icon={<Square size={14} />} onClick={() => void stop()}>
            Остановить
          </Button>
        </>
      )}
      <IconButton
        size="sm"
        label="Отменить диктовку"
        icon={<X size={16} />}
        disabled={voice.state === 'ending'}
        className={isRunning ? 'pointer-coarse:size-11' : 'ml-auto pointer-coarse:size-11'}
        onClick={() => void voice.end(false).then(onClose)}
      />
      {isRunning && <PriceSoFar voice={voice} minutePrice={minutePrice} available={available} />}
    </div>
  )
}

interface PriceSoFarProps {
  voice: ReturnType<typeof useRecorder>
  minutePrice: number | null
  available: number | null
}

function PriceSoFar({ voice, minutePrice, available }: PriceSoFarProps) {
  const seconds = Math.ceil(useRecordedSeconds(voice.recorder))
  const price = formatPrice(Math.max(1, seconds), { minutePrice, available })
  return (
    <p className={price.isShort ? 'w-full text-[13px] text-danger' : 'figures w-full text-[13px] text-muted'}>
      Расшифровка: {price.text}
    </p>
  )
}

/** Leaving the chat saves the recording; a message says where. */
function useSavedNotice(isRecording: boolean) {
  useEffect(() => {
    if (!isRecording) return
    const where = location.pathname
    return () => {
      if (location.pathname !== where) message.success('Диктовка сохранена в «Расшифровке»')
    }
  }, [isRecording])
}
