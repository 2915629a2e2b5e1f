import { useCallback, useEffect, useRef, useState } from 'react'
import { holdReload } from '#web/lib/hold-reload.ts'
import { notify } from '#web/lib/notify.ts'
import { canRecord, type Recorder, type RecordingKind, startRecording } from './recorder.ts'

export type RecorderState = 'idle' | 'asking' | 'recording' | 'paused' | 'ending' | 'denied' | 'missing'

/** Recording for a screen. Leaving the screen stops it and saves the recording. */
export function useRecorder(userId: string, kind: RecordingKind = 'Запись') {
  const [state, setState] = useState<RecorderState>('idle')
  const recorder = useRef<Recorder | null>(null)
  const free = useRef<() => void>(() => {})
  const isGone = useRef(false)

  const end = useCallback(async (isSaved: boolean) => {
    const ending = recorder.current
    if (!ending) return null
    recorder.current = null
    setState('ending')
    const saved = await ending.stop(isSaved)
    free.current()
    setState('idle')
    return saved
  }, [])

  const start = useCallback(async () => {
    if (!canRecord()) return setState('missing')
    setState('asking')
    try {
      const started = await startRecording(userId, kind, () => void end(true))
      // The permission came after the screen was left.
      if (isGone.current) return void started.stop(false)
      recorder.current = started
      free.current = holdReload('a voice is being recorded')
      setState('recording')
    } catch (error) {
      const name = error instanceof DOMException ? error.name : ''
      setState(name === 'NotAllowedError' || name === 'SecurityError' ? 'denied' : 'missing')
      if (name === '')
        notify.error({ title: 'Запись не началась', description: 'Проверьте микрофон и попробуйте снова.' })
    }
  }, [userId, kind, end])

  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      void end(true)
    }
  }, [end])

  return {
    state,
    recorder,
    start,
    end,
    pause: () => {
      recorder.current?.pause()
      setState('paused')
    },
    resume: () => {
      recorder.current?.resume()
      setState('recording')
    },
    forget: () => setState('idle'),
  }
}
