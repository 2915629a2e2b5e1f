import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { message } from '#web/lib/notify.ts'
import { usePendingRemovals } from '#web/lib/undoable.ts'
import { Callout } from '#web/ui/callout.tsx'
import { DropZone } from './drop-zone.tsx'
import { chooseFiles } from './local/choose.ts'
import { findRecording, loadRecordings, useLocalRecordings } from './local/recordings.ts'
import { resumeUpload } from './local/uploads.ts'
import { LocalRecordingCard } from './local-recording-card.tsx'
import { TranscriptionOptionFields, useTranscriptionOptions } from './option-fields.tsx'
import { useSpeechModels } from './queries.ts'
import { recoverVoices } from './voice/recorder.ts'
import { useRecorder } from './voice/use-recorder.ts'
import { RecorderError, VoicePanel } from './voice/voice-panel.tsx'

export function NewRecording({ userId }: { userId: string }) {
  const { data: models = [], isSuccess } = useSpeechModels()
  const options = useTranscriptionOptions(models)
  const voice = useRecorder(userId)
  const pendingRemovals = usePendingRemovals()
  const recording = useLocalRecordings().filter((item) => item.userId === userId && !pendingRemovals.has(item.id))
  const take = useCallback((files: readonly File[]) => void chooseFiles(userId, files), [userId])
  useUnsentRecordings(userId)
  if (isSuccess && models.length === 0)
    return (
      <Callout tone="info" title="Расшифровка пока не подключена">
        Владелец сайта ещё не добавил модель, которая слушает записи. Старые расшифровки доступны ниже.
      </Callout>
    )
  const isRecording = ['asking', 'recording', 'paused', 'ending'].includes(voice.state)
  return (
    <div className="flex flex-col gap-4">
      {isRecording ? <VoicePanel voice={voice} /> : <DropZone onFiles={take} onRecord={() => void voice.start()} />}
      <RecorderError voice={voice} />
      <TranscriptionOptionFields models={models} options={options} />
      {recording.length > 0 && (
        <ul aria-label="Готовы к расшифровке" className="flex flex-col gap-3">
          {recording.map((item) => (
            <LocalRecordingCard key={item.id} recording={item} options={options} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Restores what an earlier page left: interrupted voice recordings and uploads. */
function useUnsentRecordings(userId: string) {
  const client = useQueryClient()
  const known = useLocalRecordings()
  useEffect(() => {
    void loadRecordings(userId)
      .then(() => recoverVoices(userId))
      .then((found) => found > 0 && message.success('Запись, которая оборвалась, сохранилась'))
  }, [userId])
  useEffect(() => {
    for (const { id, options } of known) {
      const item = findRecording(id)
      if (options && item && !item.sending && !item.error && item.userId === userId)
        void resumeUpload(client, id, options)
    }
  }, [client, known, userId])
}
