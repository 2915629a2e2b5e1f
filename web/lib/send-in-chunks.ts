import { ApiError } from '#contract/errors.ts'
import { callErrorText } from './error-text.ts'
import { retryDelay } from './retry.ts'

export interface Uploaded {
  received: number
  bytes: number
  chunkBytes: number
}

interface ChunkCalls {
  /** Sends the bytes from `offset`. */
  put: (offset: number, chunk: Blob, onSent: (bytes: number) => void) => Promise<Uploaded>
  /** What the server has. */
  ask: () => Promise<Uploaded>
}

export interface UploadEvents {
  onProgress: (fraction: number) => void
  onWaiting: OnWaiting
}

/** What an upload waits for: the network, or to repeat a call that the server answered with this error. */
export interface Waiting {
  problem: string | null
}
type OnWaiting = (waiting: Waiting | null) => void

const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000]
/** Before the only repeat of a failed call: a server that restarts needs seconds. */
const REPEAT_AFTER_SECONDS = 5

/** Uploads a file in chunks. After a network failure it continues from what the server has received. */
export async function sendInChunks(
  blob: Blob,
  begun: Uploaded,
  { put, ask }: ChunkCalls,
  signal: AbortSignal,
  { onProgress, onWaiting }: UploadEvents,
): Promise<void> {
  let at = begun
  while (at.received < at.bytes) {
    const { received: from, bytes, chunkBytes } = at
    onProgress(from / bytes)
    const chunk = blob.slice(from, from + chunkBytes)
    const send = async () => {
      try {
        return await put(from, chunk, (sent) => onProgress((from + Math.min(sent, chunk.size)) / bytes))
      } catch (error) {
        // Another tab sent this chunk, or the response was lost: ask what the server has.
        if (error instanceof ApiError && error.status === 409) return ask()
        throw error
      }
    }
    at = await withRetry(send, signal, onWaiting)
  }
  onProgress(1)
}

/** Waits as long as the network is down; a call that the server failed is repeated once. Both need calls with an id. */
export async function withRetry<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
  onWaiting: OnWaiting,
  wait: (ms: number, signal: AbortSignal) => Promise<void> = waitOrOnline,
): Promise<Answer> {
  let isRepeat = false
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    let pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0
    try {
      const answer = await work()
      onWaiting(null)
      return answer
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error
      if (error.status > 0) {
        const delay = isRepeat || !isTemporary(error) ? null : retryDelay(error.retryAfter ?? REPEAT_AFTER_SECONDS)
        if (delay === null) throw error
        isRepeat = true
        pause = delay
      }
      onWaiting({ problem: error.status > 0 ? callErrorText(error) : null })
    }
    await wait(pause, signal)
  }
}

const isTemporary = (error: ApiError) => [429, 502, 503, 504].includes(error.status) && !isRejection(error)

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
