import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useLeaving } from '#web/lib/act-later.ts'
import { message } from '#web/lib/notify.ts'
import { Callout } from '#web/ui/callout.tsx'
import { DropZone } from './drop-zone.tsx'
import { chooseFiles } from './keep/choose.ts'
import { findKept, loadKept, useKept } from './keep/kept.ts'
import { resumeUpload } from './keep/uploads.ts'
import { KeptCard } from './kept-card.tsx'
import { useListeners } from './queries.ts'
import { useWish } from './use-wish.ts'
import { recoverVoices } from './voice/recorder.ts'
import { useRecorder } from './voice/use-recorder.ts'
import { VoicePanel, VoiceTrouble } from './voice/voice-panel.tsx'
import { WishFields } from './wish-fields.tsx'

/** The way in: a file or a voice, its language, its price, and how far it has come. */
export function NewRecording({ userId }: { userId: string }) {
  const { data: models = [], isSuccess } = useListeners()
  const wish = useWish(models)
  const voice = useRecorder(userId)
  const leaving = useLeaving()
  const kept = useKept().filter((item) => item.userId === userId && !leaving.has(item.id))
  const take = useCallback((files: readonly File[]) => void chooseFiles(userId, files), [userId])
  useLeftovers(userId)
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
      <VoiceTrouble voice={voice} />
      <WishFields models={models} wish={wish} />
      {kept.length > 0 && (
        <ul aria-label="Готовы к расшифровке" className="flex flex-col gap-3">
          {kept.map((item) => (
            <KeptCard key={item.id} kept={item} wish={wish} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** What an earlier page left in this browser: voices are put together, what was being sent goes on. */
function useLeftovers(userId: string) {
  const client = useQueryClient()
  const known = useKept()
  useEffect(() => {
    void loadKept(userId)
      .then(() => recoverVoices(userId))
      .then((found) => found > 0 && message.success('Запись, которая оборвалась, сохранилась'))
  }, [userId])
  useEffect(() => {
    for (const { id, wish } of known) {
      const item = findKept(id)
      if (wish && item && !item.sending && !item.error && item.userId === userId) void resumeUpload(client, id, wish)
    }
  }, [client, known, userId])
}
