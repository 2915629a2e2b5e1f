import type { AnswerEvent } from '#contract/answers.ts'
import { ApiError } from '#contract/errors.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import type { AnswerRequest } from './connection.ts'

export interface Follow {
  connect: (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>
  request: AnswerRequest
  hear: (event: AnswerEvent) => void
  /** The line broke and will be tried again. */
  onCut: () => void
  signal: AbortSignal
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Hears an answer to its end, over as many connections as it takes.
 * Once it has begun, a broken line is attached again where it broke; the model is never asked twice.
 */
export async function followAnswer({ connect, request, hear, onCut, signal, pause = pauseOrWake }: Follow) {
  let next = request
  let attempt = 0
  for (;;) {
    try {
      for await (const event of connect(next, signal)) {
        attempt = 0
        const fitting = onlyNew(event, next)
        if (!fitting) continue
        next = goOn(next, fitting)
        hear(fitting)
        if (event.type === 'done' || event.type === 'error') return
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!willPass(error, next) || !canRepeat(next)) throw error
    }
    signal.throwIfAborted()
    if (!canRepeat(next)) throw lost()
    onCut()
    await pause(attempt === 0 && next.kind === 'attach' ? FIRST_MS : reconnectDelay(attempt), signal)
    attempt += 1
  }
}

const FIRST_MS = 250

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
