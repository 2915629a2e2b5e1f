import { newId } from '#web/lib/new-id.ts'
import { once } from '#web/lib/once.ts'
import { chunksOf, put, readAll, remove } from '#web/lib/recordings-store.ts'
import { type LocalRecording, storeRecording } from '../local/recordings.ts'

/** Voice recording; every second is stored in IndexedDB, so that a crash loses nothing. */

interface Voice {
  id: string
  userId: string
  mime: string
  title: string
  at: number
}

interface Chunk {
  voiceId: string
  number: number
  blob: Blob
  seconds: number
}

const SLICE_MS = 1000
const types = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']

export const canRecord = () =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices?.getUserMedia !== undefined

export interface Recorder {
  pause: () => void
  resume: () => void
  /** Ends the recording and saves or discards it; resolves to the saved one. */
  stop: (isSaved: boolean) => Promise<LocalRecording | null>
  /** Length so far, without pauses. */
  seconds: () => number
  /** Loudness now, from 0 to 1. */
  level: () => number
}

export type RecordingKind = 'Запись' | 'Диктовка'

export async function startRecording(userId: string, kind: RecordingKind, onBroken: () => void): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const mime = types.find((type) => MediaRecorder.isTypeSupported(type)) ?? ''
  const media = new MediaRecorder(stream, mime ? { mimeType: mime, audioBitsPerSecond: 64_000 } : {})
  const title = `${kind} ${moment().format(new Date()).replace(' в ', ', ')}`
  const voice: Voice = { id: newId(), userId, mime: media.mimeType, title, at: Date.now() }
  const chunks: Blob[] = []
  const watch = stopwatch()
  const meter = levelOf(stream)
  const unlock = lock(voice.id)
  const ended = new Promise<void>((done) => {
    media.onstop = () => done()
  })
  media.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    const chunk: Chunk = { voiceId: voice.id, number: chunks.length, blob: data, seconds: watch.seconds() }
    chunks.push(data)
    put('chunks', chunk).catch(() => undefined)
  }
  stream.getAudioTracks()[0]?.addEventListener('ended', onBroken)
  await put('voices', voice).catch(() => undefined)
  media.start(SLICE_MS)
  watch.start()

  return {
    pause: () => {
      media.pause()
      watch.stop()
    },
    resume: () => {
      media.resume()
      watch.start()
    },
    stop: async (isSaved) => {
      watch.stop()
      if (media.state !== 'inactive') media.stop()
      await ended
      for (const track of stream.getTracks()) track.stop()
      meter.close()
      const saved = isSaved && chunks.length > 0 ? await storeVoice(voice, chunks, watch.seconds()) : null
      await forgetVoice(voice.id)
      unlock()
      return saved
    },
    seconds: watch.seconds,
    level: meter.level,
  }
}

function storeVoice({ id, userId, mime, title }: Voice, chunks: Blob[], seconds: number) {
  const type = mime.split(';')[0] ?? 'audio/webm'
  const ending = type.split('/')[1] ?? 'webm'
  const blob = new Blob(chunks, { type })
  return storeRecording({ id, userId, kind: 'voice', name: `${title}.${ending}`, title, blob, seconds })
}

async function forgetVoice(id: string): Promise<void> {
  await remove('chunks', chunksOf(id)).catch(() => undefined)
  await remove('voices', id).catch(() => undefined)
}

/** Saves voice recordings of pages that were closed or crashed; returns how many. */
export async function recoverVoices(userId: string): Promise<number> {
  const voices = ((await readAll('voices').catch(() => [])) as Voice[]).filter((voice) => voice.userId === userId)
  let found = 0
  for (const voice of voices) {
    await unlessBeingRecorded(voice.id, async () => {
      const chunks = (await readAll('chunks', chunksOf(voice.id))) as Chunk[]
      if (chunks.length > 0) {
        await storeVoice(
          voice,
          chunks.map(({ blob }) => blob),
          chunks.at(-1)?.seconds ?? 0,
        )
        found += 1
      }
      await forgetVoice(voice.id)
    })
  }
  return found
}

/** Held while recording, so that another tab does not recover its chunks. */
function lock(id: string): () => void {
  let free = () => {}
  const until = new Promise<void>((done) => {
    free = done
  })
  navigator.locks?.request(`voice:${id}`, () => until).catch(() => undefined)
  return free
}

async function unlessBeingRecorded(id: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(`voice:${id}`, { ifAvailable: true }, (held) => (held ? work() : undefined))
}

function stopwatch() {
  let before = 0
  let since: number | null = null
  return {
    start: () => {
      since ??= performance.now()
    },
    stop: () => {
      if (since !== null) before += performance.now() - since
      since = null
    },
    seconds: () => (before + (since === null ? 0 : performance.now() - since)) / 1000,
  }
}

/** The loudness of the microphone; 0 where the browser cannot measure it. */
function levelOf(stream: MediaStream) {
  try {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 1024
    context.createMediaStreamSource(stream).connect(analyser)
    const wave = new Float32Array(analyser.fftSize)
    return {
      level: () => {
        analyser.getFloatTimeDomainData(wave)
        const loud = Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length)
        return Math.min(1, loud * 4)
      },
      close: () => void context.close(),
    }
  } catch {
    return { level: () => 0, close: () => {} }
  }
}

const moment = once(
  () => new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' }),
)
