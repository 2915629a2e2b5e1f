import { ApiError } from '#contract/errors.ts'

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
  onWaiting: (isWaiting: boolean) => void
}

const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000]

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
