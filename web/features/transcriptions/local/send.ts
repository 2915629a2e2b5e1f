import { type Transcription, transcriptionsApi } from '#contract/transcriptions.ts'
import { api } from '#web/lib/api.ts'
import { sendInChunks, type UploadEvents, withRetry } from '#web/lib/send-in-chunks.ts'
import { upload } from '#web/lib/upload.ts'
import type { UploadOptions } from './recordings.ts'

export interface UploadSource {
  id: string
  name: string
  title: string | null
  blob: Blob
}

/**
 * Uploads a recording in chunks. After a network failure it continues from what the server has received.
 * Every step is idempotent, so a reload at any point is safe.
 */
export async function sendRecording(
  { id, name, title, blob }: UploadSource,
  { most, ...options }: UploadOptions,
  signal: AbortSignal,
  events: UploadEvents,
): Promise<Transcription> {
  const through = <Answer>(work: () => Promise<Answer>) => withRetry(work, signal, events.onWaiting)
  const body = { id, name, bytes: blob.size, ...(title ? { title } : {}), ...options }
  const begun = await through(() => api(transcriptionsApi.begin, { body }))
  const calls = {
    put: (offset: number, chunk: Blob, onSent: (bytes: number) => void) =>
      upload(transcriptionsApi.put, { params: { id }, query: { offset } }, chunk, { signal, onSent }),
    ask: () => api(transcriptionsApi.uploaded, { params: { id } }),
  }
  await sendInChunks(blob, begun, calls, signal, events)
  return through(() => api(transcriptionsApi.finish, { params: { id }, body: most === undefined ? {} : { most } }))
}
