import { ApiError } from '#contract/errors.ts'
import { type Transcription, type TranscriptionOptions, transcriptionsApi } from '#contract/transcriptions.ts'
import { api } from '#web/lib/api.ts'
import { upload } from '#web/lib/upload.ts'

export interface UploadSource {
  id: string
  name: string
  title: string | null
  blob: Blob
}

interface UploadEvents {
  onProgress: (fraction: number) => void
  onWaiting: (isWaiting: boolean) => void
}

const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000]

/**
 * Uploads a recording in chunks. After a network failure it continues from what the server has received.
 * Every step is idempotent, so a reload at any point is safe.
 */
export async function sendRecording(
  { id, name, title, blob }: UploadSource,
  options: TranscriptionOptions,
  signal: AbortSignal,
  { onProgress, onWaiting }: UploadEvents,
): Promise<Transcription> {
  const through = <Answer>(work: () => Promise<Answer>) => withRetry(work, signal, onWaiting)
  const body = { id, name, bytes: blob.size, ...(title ? { title } : {}), ...options }
  let at = await through(() => api(transcriptionsApi.begin, { body }))
  while (at.received < at.bytes) {
    const from = at.received
    onProgress(from / at.bytes)
    const chunk = blob.slice(from, from + at.chunkBytes)
    const { bytes } = at
    at = await through(async () => {
      try {
        return await upload(transcriptionsApi.put, { params: { id }, query: { offset: from } }, chunk, {
          signal,
          onSent: (sent) => onProgress((from + Math.min(sent, chunk.size)) / bytes),
        })
      } catch (error) {
        // Another tab sent this chunk, or the response was lost: ask what the server has.
        if (error instanceof ApiError && error.status === 409)
          return api(transcriptionsApi.uploaded, { params: { id } })
        throw error
      }
    })
  }
  onProgress(1)
  return through(() => api(transcriptionsApi.finish, { params: { id } }))
}

/** Retries while the network is down or the server restarts. */
export async function withRetry<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
  onWaiting: (isWaiting: boolean) => void,
  wait: (ms: number, signal: AbortSignal) => Promise<void> = waitOrOnline,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const answer = await work()
      onWaiting(false)
      return answer
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error
    }
    onWaiting(true)
    await wait(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0, signal)
  }
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || [429, 502, 503, 504].includes(error.status)) &&
    !isRejection(error)
  )
}

/** Our own rejections, which retrying soon does not change. */
const isRejection = ({ status, code }: ApiError) =>
  (status === 503 && code === 'unavailable') || (status === 429 && code === 'too_many_requests')

function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      done()
    }
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}
