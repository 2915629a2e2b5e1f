import { type AnswerEvent, answersApi } from '#contract/answers.ts'
import { failed } from '#contract/call.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { readAnswerEvents } from '#contract/events.ts'
import type { SendMessage } from '#contract/threads.ts'

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
  if (!response.ok) throw failed(response.status, await response.json().catch(() => null), response.headers)
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
