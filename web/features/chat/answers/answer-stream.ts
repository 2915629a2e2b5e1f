import { type AnswerEvent, answersApi } from '#contract/answers.ts'
import { apiErrorOf } from '#contract/call.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { readAnswerEvents } from '#contract/events.ts'
import type { SendMessage } from '#contract/threads.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import { spread } from '#web/lib/retry.ts'

export type AnswerRequest =
  | { kind: 'send'; body: SendMessage & { id: string } }
  | { kind: 'regenerate'; messageId: string; modelId?: string }
  | { kind: 'continue'; messageId: string; modelId?: string }
  | { kind: 'attach'; messageId: string; offset: number }

/** Without a byte for this long a line counts as dead, though nobody has closed it. */
const SILENCE_MS = 45_000
/** After sleep, or with the network back, much less silence is enough to doubt it. */
const DOUBT_MS = 5000
const CHECK_MS = 5000

const endpoints: Record<AnswerRequest['kind'], Endpoint> = {
  send: answersApi.send,
  regenerate: answersApi.regenerate,
  continue: answersApi.continue,
  attach: answersApi.stream,
}

/** The events of one connection. It ends with the answer, or throws when the line breaks. */
export async function* connect(
  threadId: string,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const line = new AbortController()
  const hangUp = () => line.abort()
  signal.addEventListener('abort', hangUp)
  const watch = watchSilence(hangUp)
  try {
    const body = await open(threadId, request, line.signal)
    yield* readAnswerEvents(body.pipeThrough(watch.listen()))
  } finally {
    watch.end()
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}

async function open(
  threadId: string,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(addressOf(threadId, request), initOf(request, signal))
  if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null), response.headers)
  if (!response.body) throw new ApiError({ status: 0, code: 'network', message: 'Unknown stream error' })
  return response.body
}

function addressOf(threadId: string, request: AnswerRequest): string {
  const messageId = request.kind === 'send' ? undefined : request.messageId
  return fillPath(endpoints[request.kind].path, { id: threadId, ...(messageId && { messageId }) })
}

function initOf(request: AnswerRequest, signal: AbortSignal): RequestInit {
  const accept = 'text/event-stream'
  if (request.kind === 'attach')
    return { headers: { accept, 'last-event-id': String(request.offset) }, credentials: 'include', signal }
  const body = request.kind === 'send' ? request.body : { modelId: request.modelId }
  return {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'include',
    signal,
  }
}

function watchSilence(onSilence: () => void) {
  let heard = performance.now()
  const doubt = (limit: number) => performance.now() - heard > limit && onSilence()
  const wake = () => !document.hidden && doubt(DOUBT_MS)
  const timer = setInterval(() => doubt(SILENCE_MS), CHECK_MS)
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  return {
    listen: () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          heard = performance.now()
          controller.enqueue(chunk)
        },
      }),
    end() {
      clearInterval(timer)
      removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', wake)
    },
  }
}

interface Follow {
  connect: (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>
  request: AnswerRequest
  receive: (event: AnswerEvent) => void
  /** The line broke and will be tried again. */
  onCut: () => void
  /** The server takes no new questions just now, and this one will be asked again. */
  onBusy?: () => void
  signal: AbortSignal
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
  now?: () => number
}

/**
 * Hears an answer to its end, over as many connections as it takes.
 * Once it has begun, a broken line is attached again where it broke; the model is never asked twice.
 */
export async function followAnswer(follow: Follow) {
  const { connect, request, receive, onCut, onBusy, signal, pause = pauseOrWake, now = Date.now } = follow
  let next = request
  let attempt = 0
  let busySince: number | null = null
  for (;;) {
    let wait: number | null = null
    try {
      for await (const event of connect(next, signal)) {
        attempt = 0
        const fitting = onlyNew(event, next)
        if (!fitting) continue
        next = goOn(next, fitting)
        receive(fitting)
        if (event.type === 'done' || event.type === 'error') return
      }
    } catch (error) {
      signal.throwIfAborted()
      const seconds = secondsUntilFree(error, next)
      if (seconds === null) {
        if (!willPass(error, next) || !canRepeat(next)) throw error
      } else {
        busySince ??= now()
        wait = spread(seconds)
        if (next.kind !== 'attach' && now() + wait - busySince > BUSY_MS) throw error
      }
    }
    signal.throwIfAborted()
    if (wait === null && !canRepeat(next)) throw lost()
    if (wait === null) busySince = null
    if (wait === null || next.kind === 'attach') onCut()
    else onBusy?.()
    await pause(wait ?? (attempt === 0 && next.kind === 'attach' ? FIRST_MS : reconnectDelay(attempt)), signal)
    attempt += 1
  }
}

const FIRST_MS = 250
/** A question that the server has not taken by then goes back to its author. */
const BUSY_MS = 120_000

/**
 * The server says when it is worth asking again. When its database was away it does not know whether it has begun: then
 * only what may be repeated is asked again.
 */
function secondsUntilFree(error: unknown, next: AnswerRequest): number | null {
  if (!(error instanceof ApiError) || error.status !== 503) return null
  if (error.reason === 'database' && !canRepeat(next)) return null
  return error.retryAfter ?? null
}

/** A message has an id of its own and reading is free; asking for one more answer is neither. */
function canRepeat({ kind }: AnswerRequest): boolean {
  return kind === 'send' || kind === 'attach'
}

function goOn(request: AnswerRequest, event: AnswerEvent): AnswerRequest {
  if (event.type === 'start')
    return { kind: 'attach', messageId: event.assistant.id, offset: event.assistant.content.length }
  return event.type === 'delta' && request.kind === 'attach' ? { ...request, offset: event.offset } : request
}

/** Leaves out what is here already. A piece behind a gap means that something was lost: the line is begun again. */
function onlyNew(event: AnswerEvent, request: AnswerRequest): AnswerEvent | null {
  if (event.type !== 'delta' || request.kind !== 'attach') return event
  const from = event.offset - event.text.length
  if (from > request.offset) throw lost()
  if (event.offset <= request.offset) return null
  return { ...event, text: event.text.slice(request.offset - from) }
}

function lost(): ApiError {
  return new ApiError({ status: 0, code: 'network', message: 'Связь прервалась. Проверьте интернет и повторите.' })
}

const passing = new Set([0, 408, 425, 502, 503, 504])
const passingForReaders = new Set([...passing, 429, 500])

/** Failures of the way, not of the question. What a model itself refused has a code of its own. */
export function willPass(error: unknown, { kind }: Pick<AnswerRequest, 'kind'>): boolean {
  if (!(error instanceof ApiError)) return true
  return (kind === 'attach' ? passingForReaders : passing).has(error.status) && error.code !== 'model_failed'
}

/** Waits, or less: until the network or the person is back. */
export function pauseOrWake(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    const onSeen = () => !document.hidden && done()
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      document.removeEventListener('visibilitychange', onSeen)
      signal.removeEventListener('abort', done)
      resolve()
    }
    addEventListener('online', done)
    document.addEventListener('visibilitychange', onSeen)
    signal.addEventListener('abort', done)
  })
}
