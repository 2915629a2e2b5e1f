import type { AnswerEvent } from '#contract/answers.ts'
import { ApiError } from '#contract/errors.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import { spread } from '#web/lib/retry.ts'
import type { AnswerRequest } from './connection.ts'

export interface Follow {
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
