import { call, failed } from '#contract/call.ts'
import { ApiError } from '#contract/errors.ts'
import { type Transcription, type TranscriptionOptions, transcriptionsApi, Uploaded } from '#contract/transcriptions.ts'

/** What is sent, and under which number. */
export interface Parcel {
  id: string
  name: string
  title: string | null
  blob: Blob
}

interface Watcher {
  onShare: (share: number) => void
  onWaiting: (isWaiting: boolean) => void
}

const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000]

/**
 * Brings a recording to the server piece by piece. A broken network only delays it: what has arrived is asked about and
 * not sent again. Every step may be repeated, so a reload in the middle of any of them does no harm.
 */
export async function sendRecording(
  { id, name, title, blob }: Parcel,
  options: TranscriptionOptions,
  signal: AbortSignal,
  { onShare, onWaiting }: Watcher,
): Promise<Transcription> {
  const through = <Answer>(work: () => Promise<Answer>) => patiently(work, signal, onWaiting)
  const body = { id, name, bytes: blob.size, ...(title ? { title } : {}), ...options }
  let at = await through(() => call(transcriptionsApi.begin, { body }))
  while (at.received < at.bytes) {
    const from = at.received
    onShare(from / at.bytes)
    const piece = blob.slice(from, from + at.chunkBytes)
    const { bytes } = at
    at = await through(async () => {
      try {
        return await putChunk(id, from, piece, signal, (sent) => onShare((from + sent) / bytes))
      } catch (error) {
        // Another window was quicker, or the answer was lost: what the server has counts.
        if (error instanceof ApiError && error.status === 409)
          return call(transcriptionsApi.uploaded, { params: { id } })
        throw error
      }
    })
  }
  onShare(1)
  return through(() => call(transcriptionsApi.finish, { params: { id } }))
}

/** Tries again as long as only the network, or a server that is restarting, is in the way. */
export async function patiently<Answer>(
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
      if (signal.aborted || !isPassing(error)) throw error
    }
    onWaiting(true)
    await wait(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0, signal)
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || [429, 502, 503, 504].includes(error.status)) &&
    !isRejection(error)
  )
}

/** These are answers of ours that no waiting changes soon. */
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

/** By the old kind of request: only it tells how much has gone out. */
function putChunk(
  id: string,
  offset: number,
  piece: Blob,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Uploaded> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    const stop = () => {
      request.abort()
      fail(signal.reason)
    }
    signal.addEventListener('abort', stop)
    request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, piece.size))
    request.onerror = () => fail(new ApiError({ status: 0, code: 'network', message: 'Нет связи с сервером.' }))
    request.onload = () => {
      try {
        done(readAnswer(request))
      } catch (error) {
        fail(error)
      }
    }
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.open('PUT', `/api/transcriptions/uploads/${encodeURIComponent(id)}?offset=${offset}`)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.send(piece)
  })
}

function readAnswer({ status, responseText }: XMLHttpRequest): Uploaded {
  let answer: unknown = null
  try {
    answer = JSON.parse(responseText || 'null')
  } catch {
    // A proxy may answer in its own words.
  }
  if (status < 200 || status >= 300) throw failed(status, answer)
  return Uploaded.parse(answer)
}
