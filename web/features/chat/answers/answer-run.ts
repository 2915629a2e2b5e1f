import type { QueryClient } from '@tanstack/react-query'
import { type AnswerEvent, answersApi } from '#contract/answers.ts'
import { ApiError } from '#contract/errors.ts'
import type { Message } from '#contract/threads.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { api } from '#web/lib/api.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { progress } from '#web/lib/progress.ts'
import { threadKey } from '../thread/thread-data.ts'
import { type AnswerRequest, connect, followAnswer } from './answer-stream.ts'
import { createDeltaThrottle } from './delta-throttle.ts'
import { changeRun, getRun, putRun, type Run, removeRun } from './runs.ts'

/** A stream that cannot be attached to is not asked for again at once. */
const REST_MS = 3000
const abortions = new Map<string, AbortController>()

interface TranscriptionQueue {
  threadId: string
  questionId: string
  request: AnswerRequest
  /** What is already there of the answer. */
  begun?: string
}

interface Answering {
  /** Settles when the server has taken the question: from here on it is stored. */
  started: Promise<void>
  /** Settles when nothing more will come, well or not. */
  ended: Promise<void>
}

/** Hears an answer into the thread. One at a time a thread: whoever asks looks for a run first. */
export function followAnswerOf(
  client: QueryClient,
  { threadId, questionId, request, begun }: TranscriptionQueue,
): Answering {
  const messageId = request.kind === 'attach' ? request.messageId : null
  const start = deferred()
  // The loading bar is for the way to the server, not for the whole of the answer.
  const arrival = deferred()
  if (messageId) start.resolve()
  else void progress.during(arrival.promise)
  const fold = createDeltaThrottle((event) => keepEvent(client, threadId, event), begun)
  const run = openRun(threadId, {
    kind: request.kind,
    questionId,
    messageId,
    isCut: false,
    isBusy: false,
    isStopping: false,
  })

  function receive(event: AnswerEvent) {
    if (event.type === 'error' && !getRun(threadId)?.messageId) throw new ApiError(event)
    fold.receive(event)
    noteEvent(client, threadId, event)
    arrival.resolve()
    start.resolve()
  }

  function onCut() {
    arrival.resolve()
    changeRun(threadId, { isCut: true, isBusy: false })
  }

  function onBusy() {
    arrival.resolve()
    changeRun(threadId, { isCut: false, isBusy: true })
  }

  const connectHere = (next: AnswerRequest, signal: AbortSignal) => connect(threadId, next, signal)
  const ended = followAnswer({ connect: connectHere, request, signal: run.signal, receive, onCut, onBusy })
    .catch((error: unknown) => {
      start.reject(error)
      return messageId ? pause(REST_MS) : undefined
    })
    .finally(() => {
      arrival.resolve()
      fold.end()
      run.close()
      void client.invalidateQueries({ queryKey: threadKey(threadId), exact: true })
    })
  return { started: start.promise, ended }
}

/** Notes that this window hears an answer; the page is not reloaded meanwhile. */
function openRun(threadId: string, run: Run) {
  const abort = new AbortController()
  const release = holdReload('Идёт ответ')
  abortions.set(threadId, abort)
  putRun(threadId, run)
  return {
    signal: abort.signal,
    close() {
      abortions.delete(threadId)
      removeRun(threadId)
      release()
    },
  }
}

function noteEvent(client: QueryClient, threadId: string, event: AnswerEvent) {
  const run = getRun(threadId)
  if (run?.isCut || run?.isBusy) changeRun(threadId, { isCut: false, isBusy: false })
  if (event.type === 'start') {
    changeRun(threadId, { questionId: event.user.id, messageId: event.assistant.id })
    if (run?.isStopping) void sendStop(threadId, event.assistant.id)
  }
  if (event.type !== 'done') return
  const { SingleSubscription } = event
  client.setQueryData(profileQuery.queryKey, (profile) => profile && { ...profile, SingleSubscription })
}

function keepEvent(client: QueryClient, threadId: string, event: AnswerEvent) {
  client.setQueryData(threadKey(threadId), (data) => {
    if (!data) return data
    const Messages = applyAnswer(data.Messages, event)
    if (Messages === data.Messages) return data
    return { ...data, Messages, ...(event.type === 'start' && { currentLeafId: event.assistant.id }) }
  })
}

/** Begins to hear the answer that is being written in a thread as it was read; false when there is none, or one is heard. */
export function attachToRunning(client: QueryClient, threadId: string): boolean {
  const last = client.getQueryData(threadKey(threadId))?.Messages.at(-1)
  if (last?.status !== 'streaming' || getRun(threadId)) return false
  const request = { kind: 'attach', messageId: last.id, offset: last.content.length } as const
  followAnswerOf(client, { threadId, questionId: last.parentId ?? last.id, request, begun: last.content })
  return true
}

/** Asked for before the answer has begun, the wish is said again as soon as it does. */
export function stopAnswer(threadId: string): void {
  const run = getRun(threadId)
  if (!run || run.isStopping) return
  changeRun(threadId, { isStopping: true })
  void sendStop(threadId, run.messageId ?? run.questionId)
}

async function sendStop(threadId: string, messageId: string) {
  try {
    await api(answersApi.stop, { params: { id: threadId, messageId } })
  } catch {
    // Not stored yet: `start` will say the wish again. Stored and over: there is nothing to stop.
    if (getRun(threadId)?.messageId) changeRun(threadId, { isStopping: false })
  }
}

/** Hangs up. What has begun goes on at the server; what has not is not sent. */
export function hangUp(threadId: string): void {
  abortions.get(threadId)?.abort()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Folds an event of the answer into the shown branch. Messages that it does not touch stay the same objects. */
export function applyAnswer(messages: Message[], event: AnswerEvent): Message[] {
  switch (event.type) {
    case 'start':
      return [...branchBefore(messages, event.user), event.user, event.assistant]
    case 'delta':
      return changeStreaming(messages, (message) => ({ ...message, content: grow(message.content, event) }))
    case 'done':
      return messages.map((message) => (message.id === event.message.id ? event.message : message))
    case 'error':
      return changeStreaming(messages, (message) => ({
        ...message,
        status: event.code === 'out_of_symbols' ? 'out_of_symbols' : 'failed',
        error: { code: event.code, message: event.message },
      }))
  }
}

/** What stays above a question: all before it, or all up to its parent. A parent that is not loaded changes nothing. */
function branchBefore(messages: Message[], { id, parentId }: Message): Message[] {
  const own = messages.findIndex((message) => message.id === id)
  if (own >= 0) return messages.slice(0, own)
  if (parentId === null) return []
  const parent = messages.findIndex((message) => message.id === parentId)
  return parent < 0 ? messages : messages.slice(0, parent + 1)
}

/** A piece is placed by its offset, so one that comes twice is one. A piece behind a gap is left out. */
function grow(content: string, { offset, text }: { offset: number; text: string }): string {
  const from = offset - text.length
  return from > content.length ? content : content.slice(0, from) + text
}

function changeStreaming(messages: Message[], change: (message: Message) => Message): Message[] {
  const index = messages.findLastIndex(({ status }) => status === 'streaming')
  const message = messages[index]
  return message ? messages.with(index, change(message)) : messages
}

interface Deferred {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/** A promise that is settled from outside. A failure that nobody waits for is no failure of the page. */
function deferred(): Deferred {
  let resolve = () => {}
  let reject: Deferred['reject'] = () => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
