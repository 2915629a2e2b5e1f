import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#server/lib/errors.ts'
import { kindOf, LlmError, type LlmErrorKind, MAX_ERROR_TEXT, rejectedBy } from './errors.ts'
import type { LlmImage, LlmRequest } from './llm.ts'

const http = new HttpAgent({ keepAlive: true })
const https = new HttpsAgent({ keepAlive: true })

/** A body of known length that is produced while it is sent. */
export interface StreamedBody {
  length: number
  chunks: () => AsyncIterable<Uint8Array>
}

export type Body = string | Uint8Array | StreamedBody

export interface Outgoing {
  headers: Record<string, string>
  /** Null sends a GET. */
  body: Body | null
  signal: AbortSignal
  /** A provider with its own certificates has its own agent; the others share one. */
  agent?: HttpsAgent | undefined
}

/** Posts, or gets without a body, and resolves with the response headers. Half the CPU of `fetch` for many chunks. */
export function send(url: URL, { headers, body, signal, agent = https }: Outgoing): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const isSecure = url.protocol === 'https:'
    const open = isSecure ? requestHttps : requestHttp
    const isStreamed = body !== null && typeof body === 'object' && 'chunks' in body
    const length = isStreamed ? body.length : Buffer.byteLength(body ?? '')
    const request = open(url, {
      method: body === null ? 'GET' : 'POST',
      agent: isSecure ? agent : http,
      headers: { ...(body === null ? {} : { 'content-length': length }), ...headers },
      signal,
    })
    request.once('response', done)
    request.on('error', fail)
    // A provider may respond before it has read the body: the promise is then settled and this failure is ignored.
    if (isStreamed) pipeline(body.chunks(), request).catch(fail)
    else request.end(body)
  })
}

/** The beginning of a response, as much as an error needs. */
export async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > MAX_ERROR_TEXT) break
  }
  return text.slice(0, MAX_ERROR_TEXT)
}

export interface ErrorRules {
  kind: (status: number, text: string) => LlmErrorKind
  /** A time to wait that is not in the headers. */
  waitMs?: (text: string) => number | null
}

export async function rejection(
  response: IncomingMessage,
  { kind, waitMs = () => null }: ErrorRules = { kind: kindOf },
): Promise<LlmError> {
  const text = await readText(response)
  const status = response.statusCode ?? 0
  const wait = retryAfterMs(response.headers) ?? waitMs(text)
  return rejectedBy({ status, text, headers: response.headers, kind: kind(status, text), retryAfterMs: wait })
}

/** A longer Retry-After fails at once instead of keeping the user waiting. */
const MAX_WAIT_MS = 10_000
/** A larger Retry-After is ignored. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000

/** As seconds or as a date; null when missing or invalid. */
export function retryAfterMs(headers: IncomingHttpHeaders, now = Date.now()): number | null {
  const value = headers['retry-after']?.trim()
  if (!value) return null
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - now)
  return ms <= MAX_RETRY_AFTER_MS ? ms : null
}

interface RetryOptions {
  tries: number
  /** The pause before the next attempt, unless Retry-After is longer. */
  waitMs: (attempt: number) => number
  mayRetry: (error: LlmError, elapsedMs: number) => boolean
  maxWaitMs?: number
}

/** Retries temporary errors, never sooner than Retry-After. */
export async function withRetry<End>(
  ask: () => Promise<End>,
  signal: AbortSignal,
  { tries, waitMs, mayRetry, maxWaitMs = MAX_WAIT_MS }: RetryOptions,
): Promise<End> {
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now()
    let wait: number
    try {
      return await ask()
    } catch (error) {
      if (attempt >= tries || signal.aborted || !(error instanceof LlmError)) throw error
      if (!mayRetry(error, performance.now() - startedAt)) throw error
      wait = Math.max(error.retryAfterMs ?? 0, waitMs(attempt))
      if (wait > maxWaitMs) throw error
    }
    await pauseFor(wait, signal)
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {
    throw abortError(signal)
  })
}

/** The error of an aborted call: a timeout signal becomes LlmError('timeout'), any other reason is kept. */
export function abortError({ reason }: AbortSignal): unknown {
  const isOutOfTime = reason instanceof DOMException && reason.name === 'TimeoutError'
  return isOutOfTime ? new LlmError('timeout', { reason: 'late' }) : reason
}

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
        // Sent parts are dropped: the socket keeps this generator alive as long as the answer takes. From the end of a
        // reversed list, because the first element of a long one is dropped by moving all others.
        parts.reverse()
        for (let part = parts.pop(); part; part = parts.pop()) {
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

/** The JSON of an object whose last field is bytes in base64, encoded while they are sent. */
export function streamedJson(fields: object, name: string, content: Pick<LlmImage, 'bytes' | 'read'>): StreamedBody {
  const head = Buffer.from(`${openObject(fields)},${JSON.stringify(name)}:"`)
  const tail = Buffer.from('"}')
  return {
    length: head.length + base64Length(content.bytes) + tail.length,
    chunks: async function* () {
      yield head
      yield* base64(content)
      yield tail
    },
  }
}

const isImage = (part: Part): part is LlmImage => 'read' in part
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

/** Base64 encodes three bytes at a time; the remainder of a chunk is carried over to the next. */
async function* base64({ bytes, read }: Pick<LlmImage, 'bytes' | 'read'>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let seen = 0
  for await (const chunk of read()) {
    seen += chunk.length
    const joined = Buffer.concat([rest, chunk])
    const whole = joined.length - (joined.length % 3)
    if (whole > 0) yield Buffer.from(joined.toString('base64', 0, whole), 'latin1')
    rest = joined.subarray(whole)
  }
  if (seen !== bytes) throw new Error(`a body of ${bytes} bytes has ${seen}`)
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
