import { AppError } from '#server/lib/errors.ts'
import type { LlmImage, LlmRequest } from './llm.ts'
import type { StreamedBody } from './request.ts'

/** A part of the JSON of a request, or an image that is encoded in base64 while it is sent. */
export type Part = Buffer | LlmImage

/** Images are streamed, so their bytes are never in memory as a whole. */
export function bodyOf(
  parts: Part[],
  request: LlmRequest,
  budget: ByteBudget,
  signal: AbortSignal,
): Buffer | StreamedBody {
  const imageBytes = parts.reduce((sum, part) => sum + (isImage(part) ? part.bytes : 0), 0)
  if (imageBytes === 0) return Buffer.concat(parts.flatMap((part) => (isImage(part) ? [] : [part])))
  return {
    length: parts.reduce((sum, part) => sum + (isImage(part) ? base64Length(part.bytes) : part.length), 0),
    chunks: async function* () {
      request.onInFlight?.(false)
      const release = await budget.take(request.userId ?? '', imageBytes, signal)
      request.onInFlight?.(true)
      try {
        // Sent parts are dropped: the socket keeps this generator alive as long as the answer takes.
        for (let part = parts.shift(); part; part = parts.shift()) {
          if (isImage(part)) yield* base64(part)
          else yield part
        }
      } finally {
        parts.length = 0
        release()
      }
    },
  }
}

const isImage = (part: Part): part is LlmImage => 'read' in part
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

/** Base64 encodes three bytes at a time; the remainder of a chunk is carried over to the next. */
async function* base64({ bytes, read }: LlmImage): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let seen = 0
  for await (const chunk of read()) {
    seen += chunk.length
    const joined = Buffer.concat([rest, chunk])
    const whole = joined.length - (joined.length % 3)
    if (whole > 0) yield Buffer.from(joined.toString('base64', 0, whole), 'latin1')
    rest = joined.subarray(whole)
  }
  if (seen !== bytes) throw new Error(`an image of ${bytes} bytes has ${seen}`)
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** Joins the parts of several values by commas. */
export function* joined(values: Iterable<Iterable<Part>>): Generator<Part> {
  let isFirst = true
  for (const value of values) {
    if (!isFirst) yield Buffer.from(',')
    isFirst = false
    yield* value
  }
}

/** The JSON of an object without its closing brace, to be continued. */
export const openObject = (fields: object) => JSON.stringify(fields).slice(0, -1)

export interface ByteBudget {
  /** Waits briefly until `bytes` are free and takes them; returns their release. Throws 503 after the wait. */
  take: (userId: string, bytes: number, signal?: AbortSignal) => Promise<() => void>
  /** Throws as `take` would, but takes nothing. */
  check: (userId: string, bytes: number) => Promise<void>
}

interface Limits {
  processBytes: number
  userBytes: number
  waitMs: number
}

interface Waiter {
  fits: () => boolean
  enter: () => void
}

const MB = 1024 * 1024

/** A request that does not fit waits; smaller ones may pass it. */
export function createByteBudget({ processBytes, userBytes, waitMs }: Limits): ByteBudget {
  const waiting = new Set<Waiter>()
  const byUser = new Map<string, number>()
  let total = 0

  /** A request larger than the limit is admitted when it is alone. */
  const isWithin = (used: number, bytes: number, limit: number) => used === 0 || used + bytes <= limit

  function add(userId: string, bytes: number): void {
    total += bytes
    const used = (byUser.get(userId) ?? 0) + bytes
    if (used > 0) byUser.set(userId, used)
    else byUser.delete(userId)
  }

  function leave(userId: string, bytes: number): void {
    add(userId, -bytes)
    for (const waiter of [...waiting]) if (waiter.fits()) waiter.enter()
  }

  function waitForSpace(userId: string, bytes: number, signal?: AbortSignal): Promise<void> {
    const fits = () => isWithin(total, bytes, processBytes) && isWithin(byUser.get(userId) ?? 0, bytes, userBytes)
    return new Promise((done, fail) => {
      const end = (finish: () => void) => {
        waiting.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        finish()
      }
      const enter = () => {
        add(userId, bytes)
        end(done)
      }
      const waiter: Waiter = { fits, enter }
      const onAbort = () => end(() => fail(signal?.reason))
      const timer = setTimeout(() => end(() => fail(tooManyImages())), waitMs)
      signal?.addEventListener('abort', onAbort)
      if (signal?.aborted) onAbort()
      else if (fits()) enter()
      else waiting.add(waiter)
    })
  }

  const take: ByteBudget['take'] = async (userId, bytes, signal) => {
    await waitForSpace(userId, bytes, signal)
    let isTaken = true
    return () => {
      if (isTaken) leave(userId, bytes)
      isTaken = false
    }
  }
  return { take, check: async (userId, bytes) => (await take(userId, bytes))() }
}

const tooManyImages = () =>
  new AppError('unavailable', 'Сейчас отправляется слишком много картинок. Повторите через 10 секунд.', {
    retryAfterSeconds: 10,
  })

export const imagesInFlight = createByteBudget({ processBytes: 128 * MB, userBytes: 40 * MB, waitMs: 5000 })
