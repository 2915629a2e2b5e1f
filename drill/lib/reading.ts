import { setTimeout as pause } from 'node:timers/promises'
import { type AnswerEvent, answersApi, readAnswerEvents } from '#contract/answers.ts'
import { apiErrorOf } from '#contract/call.ts'
import { fillPath } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { Message } from '#contract/threads.ts'
import { type AnswerRequest, followAnswer } from '#web/features/chat/answers/answer-stream.ts'
import { ANSWERED_BY } from './balancer.ts'
import type { Person } from './people.ts'

/** A reader of an answer, which reconnects by the rules of the page. */
export interface Reading {
  shown: string
  /** The text just before the end event of the answer. */
  grown: string
  done: Message | null
  /** The answer failed, and the reader received the error. */
  failed: string | null
  /** The error after which the reader gave up, because it was not temporary. */
  refused: string | null
  /** Responses with 5xx that a server must not send. */
  errors: string[]
  /** The instance that answered the first connection, which writes the answer. */
  instance: string | null
  messageId: string | null
  growth: { at: number; length: number }[]
  endedAt: number | null
  ended: Promise<void>
  leave: () => void
}

export interface Target {
  person: Person
  threadId: string
  /** The balancer, or one instance. */
  at: string
  /** Disconnects about this often and reconnects, as phones do. */
  restlessMs?: number | undefined
}

/** A connection without a byte for this long is closed, as in the page. */
const SILENCE_MS = 45_000

export function openReading(target: Target, request: AnswerRequest): Reading {
  const abort = new AbortController()
  const reading: Reading = {
    shown: '',
    grown: '',
    done: null,
    failed: null,
    refused: null,
    errors: [],
    instance: null,
    messageId: null,
    growth: [],
    endedAt: null,
    ended: Promise.resolve(),
    leave: () => abort.abort(),
  }
  reading.ended = followAnswer({
    connect: (next, signal) => connect(target, next, signal, reading),
    request,
    receive: (event) => take(reading, event),
    onDisconnect: () => undefined,
    signal: abort.signal,
    pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
  })
    .catch((error: unknown) => {
      if (abort.signal.aborted) return
      reading.refused = error instanceof ApiError ? `${error.status} ${error.code} ${error.message}` : String(error)
    })
    .finally(() => {
      reading.endedAt = performance.now()
    })
  return reading
}

function take(reading: Reading, event: AnswerEvent) {
  if (event.type === 'start') {
    reading.messageId = event.assistant.id
    reading.shown = event.assistant.content
  } else if (event.type === 'delta') {
    reading.shown = reading.shown.slice(0, event.offset - event.text.length) + event.text
  } else if (event.type === 'done') {
    reading.grown = reading.shown
    reading.done = event.message
    reading.shown = event.message.content
  } else if (event.type === 'error') reading.failed = `${event.code}: ${event.message}`
  reading.growth.push({ at: performance.now(), length: reading.shown.length })
}

const endpoints = {
  send: answersApi.send,
  regenerate: answersApi.regenerate,
  continue: answersApi.continue,
  attach: answersApi.stream,
}

/** Works like `connect` of the page, which cannot be used here because it needs a window. */
async function* connect(
  { person, threadId, at, restlessMs }: Target,
  request: AnswerRequest,
  signal: AbortSignal,
  reading: Reading,
): AsyncGenerator<AnswerEvent> {
  const line = new AbortController()
  const hangUp = () => line.abort()
  signal.addEventListener('abort', hangUp)
  const silence = setTimeout(hangUp, SILENCE_MS)
  let restless: NodeJS.Timeout | undefined
  try {
    const response = await fetch(at + addressOf(threadId, request), initOf(person, request, line.signal))
    if (request.kind !== 'attach') reading.instance = response.headers.get(ANSWERED_BY)
    if (!response.ok) throw await rejection(response, request, reading)
    if (!response.body) throw new Error('no body')
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        silence.refresh()
        controller.enqueue(chunk)
      },
    })
    for await (const event of readAnswerEvents(response.body.pipeThrough(watched))) {
      yield event
      if (restlessMs) restless ??= setTimeout(hangUp, restlessMs * (0.5 + Math.random()))
    }
  } finally {
    clearTimeout(silence)
    clearTimeout(restless)
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}

async function rejection(response: Response, { kind }: AnswerRequest, { errors }: Reading): Promise<ApiError> {
  const error = apiErrorOf(response.status, await response.json().catch(() => null))
  noteStatus(errors, kind, response)
  return error
}

/** A 503 with Retry-After is allowed; any other 5xx is an error that a user sees. */
export function noteStatus(errors: string[], what: string, response: Response): void {
  const isPolite = response.status === 503 && response.headers.has('retry-after')
  if (response.status >= 500 && !isPolite) errors.push(`${what}: ${response.status}`)
}

function addressOf(threadId: string, request: AnswerRequest): string {
  const messageId = request.kind === 'send' ? undefined : request.messageId
  return fillPath(endpoints[request.kind].path, { id: threadId, ...(messageId && { messageId }) })
}

function initOf(person: Person, request: AnswerRequest, signal: AbortSignal): RequestInit {
  const headers = { ...person.headers, accept: 'text/event-stream' }
  if (request.kind === 'attach') return { headers: { ...headers, 'last-event-id': String(request.offset) }, signal }
  const body = JSON.stringify(request.kind === 'send' ? request.body : { modelId: request.modelId })
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body, signal }
}
