import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { type TranscriptionOptions, transcriptionsApi } from '#contract/transcriptions.ts'
import { api } from '#web/lib/api.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { read } from '#web/lib/recordings-store.ts'
import { withLock } from '#web/lib/with-lock.ts'
import { refreshTranscriptions } from '../queries.ts'
import { changeRecording, dropRecording, findRecording, patchRecording, type Sending } from './recordings.ts'
import { sendRecording } from './send.ts'

const running = new Map<string, AbortController>()

/** Uploads a recording and removes it from this browser when the server has it. */
export async function startUpload(client: QueryClient, id: string, options: TranscriptionOptions): Promise<void> {
  if (running.has(id)) return
  const abort = new AbortController()
  running.set(id, abort)
  patchRecording(id, { sending: { progress: 0, waiting: null }, error: null })
  const free = holdReload('a recording is on its way')
  try {
    await changeRecording(id, { options })
    await withLock(`recording:${id}`, () => upload(client, id, options, abort.signal))
  } catch (error) {
    if (!abort.signal.aborted) await changeRecording(id, { options: null })
    patchRecording(id, { sending: null, error: abort.signal.aborted ? null : errorTextOf(error) })
  } finally {
    running.delete(id)
    free()
    void refreshTranscriptions(client)
  }
}

async function upload(
  client: QueryClient,
  id: string,
  options: TranscriptionOptions,
  signal: AbortSignal,
): Promise<void> {
  const recording = findRecording(id)
  if (!recording) return
  let sending: Sending = { progress: 0, waiting: null }
  const note = (change: Partial<Sending>) => {
    sending = { ...sending, ...change }
    patchRecording(id, { sending })
  }
  await sendRecording(recording, options, signal, {
    onProgress: (progress) => note({ progress }),
    onWaiting: (waiting) => note({ waiting }),
  })
  await refreshTranscriptions(client)
  await dropRecording(id)
}

const errorTextOf = (error: unknown) =>
  error instanceof ApiError ? callErrorText(error) : 'Загрузить не получилось. Попробуйте ещё раз.'

/** Cancels an upload: the recording stays in this browser and the server deletes its part. */
export async function cancelUpload(client: QueryClient, id: string): Promise<void> {
  running.get(id)?.abort(new Error('cancelled'))
  await changeRecording(id, { options: null })
  patchRecording(id, { sending: null, error: null })
  await api(transcriptionsApi.delete, { params: { id } }).catch(() => undefined)
  await refreshTranscriptions(client)
}

/** Continues an upload of an earlier page, unless another tab has finished it. */
export async function resumeUpload(client: QueryClient, id: string, options: TranscriptionOptions): Promise<void> {
  if ((await read('kept', id).catch(() => null)) === undefined) return dropRecording(id)
  await startUpload(client, id, options)
}
