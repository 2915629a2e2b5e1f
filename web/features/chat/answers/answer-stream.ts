import { type AnswerEvent, answersApi, readAnswerEvents, type SendMessage } from '#contract/answers.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { Thinking } from '#contract/models.ts'
import type { WebSearch } from '#contract/web-search.ts'
import { openStream } from '#web/lib/api.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import { withJitter } from '#web/lib/retry.ts'

export type AnswerRequest =
  | { kind: 'send'; body: SendMessage & { id: string } }
  | {
      kind: 'regenerate'
      messageId: string
      modelId?: string
      thinking?: Thinking
      web?: WebSearch
      pages?: string[]
      asIs?: boolean
    }
  | { kind: 'continue'; messageId: string; modelId?: string; thinking?: Thinking; asIs?: boolean }
  /** The lengths of the text and of the thought that are already here. */
  | { kind: 'attach'; messageId: string; offset: number; thoughtOffset: number }

interface FollowOptions {
  connect: (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>
  request: AnswerRequest
  receive: (event: AnswerEvent) => void
  /** The connection was lost and will be opened again. `problem` is null when the network failed, not the server. */
  onDisconnect: (problem: string | null) => void
  /** The server accepts no new questions now, and this one will be sent again. */
  onBusy?: () => void
  signal: AbortSignal
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
  now?: () => number
}

const FIRST_PAUSE_MS = 250
/** A question that a busy server has not accepted by then is rejected. */
const BUSY_LIMIT_MS = 120_000

/**
 * Receives an answer to its end, over as many connections as it takes. Once it has started, a lost connection is
 * replaced by an attach at the last offset, so that the model is never asked twice.
 */
export async function followAnswer(options: FollowOptions): Promise<void> {
  const { connect, request, receive, onDisconnect, onBusy, signal, pause = pauseOrWake, now = Date.now } = options
  let next = request
  let attempt = 0
  let busySince: number | null = null
  for (;;) {
    let busyWait: number | null = null
    let problem: string | null = 'Unknown stream error'
    try {
      for await (const event of connect(next, signal)) {
        attempt = 0
        problem = null
        const fresh = dropKnownText(event, next)
        if (!fresh) continue
        next = nextRequest(next, fresh)
        receive(fresh)
        if (event.type === 'done' || event.type === 'error') return
      }
    } catch (error) {
      signal.throwIfAborted()
      problem = problemOf(error)
      const seconds = retryAfterSeconds(error)
      if (!canRepeat(next)) throw error instanceof ApiError ? error : connectionLost()
      if (seconds === null) {
        if (!isTemporaryError(error, next)) throw error
      } else {
        busySince ??= now()
        busyWait = withJitter(seconds)
        if (next.kind !== 'attach' && now() + busyWait - busySince > BUSY_LIMIT_MS) throw error
      }
    }
    signal.throwIfAborted()
    if (!canRepeat(next)) throw new ApiError({ status: 200, code: 'bad_answer', message: 'Unknown stream error' })
    if (busyWait === null) busySince = null
    if (busyWait === null || next.kind === 'attach') onDisconnect(problem)
    else onBusy?.()
    const isFirstAttach = attempt === 0 && next.kind === 'attach'
    await pause(busyWait ?? (isFirstAttach ? FIRST_PAUSE_MS : reconnectDelay(attempt)), signal)
    attempt += 1
  }
}

/** What the server answered instead; null when there was no answer at all. */
export function problemOf(error: unknown): string | null {
  return error instanceof ApiError && error.status > 0 ? callErrorText(error) : null
}

/** The Retry-After of a 503. */
function retryAfterSeconds(error: unknown): number | null {
  return error instanceof ApiError && error.status === 503 ? (error.retryAfter ?? null) : null
}

/** A message has its own id and attaching changes nothing; a repeated regenerate would be a second answer. */
function canRepeat({ kind }: AnswerRequest): boolean {
  return kind === 'send' || kind === 'attach'
}

function nextRequest(request: AnswerRequest, event: AnswerEvent): AnswerRequest {
  if (event.type === 'start') {
    const { id, content, thought } = event.assistant
    return { kind: 'attach', messageId: id, offset: content.length, thoughtOffset: thought?.text.length ?? 0 }
  }
  if (request.kind !== 'attach') return request
  if (event.type === 'delta') return { ...request, offset: event.offset }
  return event.type === 'thought' ? { ...request, thoughtOffset: event.offset } : request
}

/** Cuts off text or thought that was received before. A gap means that text was lost: the caller connects again. */
function dropKnownText(event: AnswerEvent, request: AnswerRequest): AnswerEvent | null {
  if ((event.type !== 'delta' && event.type !== 'thought') || request.kind !== 'attach') return event
  const known = event.type === 'delta' ? request.offset : request.thoughtOffset
  const from = event.offset - event.text.length
  if (from > known) throw connectionLost()
  if (event.offset <= known) return null
  return { ...event, text: event.text.slice(known - from) }
}

function connectionLost(): ApiError {
  return new ApiError({ status: 0, code: 'network', message: 'Связь прервалась. Проверьте интернет и повторите.' })
}

const temporaryStatuses = new Set([0, 408, 425, 502, 503, 504])
const temporaryForAttach = new Set([...temporaryStatuses, 429, 500])

/** Errors of the network or the server, not of the question. An error of the model has its own code. */
export function isTemporaryError(error: unknown, { kind }: Pick<AnswerRequest, 'kind'>): boolean {
  if (!(error instanceof ApiError)) return true
  const statuses = kind === 'attach' ? temporaryForAttach : temporaryStatuses
  return statuses.has(error.status) && error.code !== 'model_failed'
}

/** Resolves after the time, or earlier when the network is back or the page becomes visible. */
export function pauseOrWake(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    const onVisible = () => !document.hidden && done()
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      document.removeEventListener('visibilitychange', onVisible)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    addEventListener('online', done)
    document.addEventListener('visibilitychange', onVisible)
    signal?.addEventListener('abort', done)
  })
}

/** A connection without a byte for this long is closed, even if no error was reported. */
const SILENCE_MS = 45_000
/** After the computer wakes or the network returns, a shorter silence is enough. */
const SILENCE_AFTER_WAKE_MS = 5000
const CHECK_MS = 5000

const endpoints: Record<AnswerRequest['kind'], Endpoint> = {
  send: answersApi.send,
  regenerate: answersApi.regenerate,
  continue: answersApi.continue,
  attach: answersApi.stream,
}

/** The events of one connection. Ends with the answer, throws when the connection is lost. */
export async function* connect(
  threadId: string,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const connection = new AbortController()
  const close = () => connection.abort()
  signal.addEventListener('abort', close)
  const watch = watchSilence(close)
  try {
    const body = await openAnswer(threadId, request, connection.signal)
    yield* readAnswerEvents(body.pipeThrough(watch.countBytes()))
  } finally {
    watch.end()
    signal.removeEventListener('abort', close)
    close()
  }
}

function openAnswer(
  threadId: string,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const messageId = request.kind === 'send' ? undefined : request.messageId
  const path = fillPath(endpoints[request.kind].path, { id: threadId, ...(messageId && { messageId }) })
  return openStream(path, requestInit(request, signal))
}

function requestInit(request: AnswerRequest, signal: AbortSignal): RequestInit {
  const isAttach = request.kind === 'attach'
  const headers = { accept: 'text/event-stream' }
  if (isAttach) {
    const have = { 'last-event-id': String(request.offset), 'last-thought-id': String(request.thoughtOffset) }
    return { headers: { ...headers, ...have }, credentials: 'include', signal }
  }
  const body = bodyOf(request)
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'include',
    signal,
  }
}

function bodyOf(request: Exclude<AnswerRequest, { kind: 'attach' }>) {
  if (request.kind === 'send') return request.body
  const { modelId, thinking, asIs } = request
  const { web, pages } = request.kind === 'regenerate' ? request : {}
  return { modelId, thinking, asIs, ...(web && { web }), ...(pages && { pages }) }
}

function watchSilence(onSilence: () => void) {
  let lastByteAt = performance.now()
  const check = (limit: number) => performance.now() - lastByteAt > limit && onSilence()
  const onWake = () => !document.hidden && check(SILENCE_AFTER_WAKE_MS)
  const timer = setInterval(() => check(SILENCE_MS), CHECK_MS)
  addEventListener('online', onWake)
  document.addEventListener('visibilitychange', onWake)
  return {
    countBytes: () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          lastByteAt = performance.now()
          controller.enqueue(chunk)
        },
      }),
    end() {
      clearInterval(timer)
      removeEventListener('online', onWake)
      document.removeEventListener('visibilitychange', onWake)
    },
  }
}
