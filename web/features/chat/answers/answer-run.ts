import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { type AnswerEvent, answersApi } from '#contract/answers.ts'
import { ApiError } from '#contract/errors.ts'
import type { Message } from '#contract/threads.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { api } from '#web/lib/api.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { changeRun, getRun, noteEnd, putRun, type Run, removeRun } from '../state/runs.ts'
import { threadKey } from '../state/thread-data.ts'
import { type AnswerRequest, connect, followAnswer } from './answer-stream.ts'
import { createDeltaThrottle, growLiveText, isGrowth, liveTextDropper, withLiveText } from './growing-text.ts'

/** The pause after a failed attach: the thread is refetched and would attach again at once. */
const FAILED_ATTACH_PAUSE_MS = 3000

interface AnswerRunOptions {
  threadId: string
  questionId: string
  request: AnswerRequest
  /** The part of the answer that is already in this window. */
  known?: Pick<Message, 'content' | 'thought'>
  /** Earlier than now for an answer that is already running. */
  requestedAt?: number
}

interface AnswerRun {
  /** Settles when the server has stored the question. */
  started: Promise<void>
  /** Settles when the stream is over, with or without an error. */
  ended: Promise<void>
}

/** Streams an answer into the cached thread. The caller checks that the thread has no other run. */
export function startAnswerRun(client: QueryClient, options: AnswerRunOptions): AnswerRun {
  const { threadId, questionId, request, known, requestedAt = Date.now() } = options
  const isAttach = request.kind === 'attach'
  const abort = new AbortController()
  const releaseReload = holdReload('Идёт ответ')
  const started = deferred()
  if (isAttach) started.resolve()
  putRun(threadId, {
    kind: request.kind,
    questionId,
    messageId: isAttach ? request.messageId : null,
    isDisconnected: false,
    isBusy: false,
    isStopping: false,
    requestedAt,
    ...depthOf(request),
    ...stageOf(request),
    disconnect: () => abort.abort(),
  })
  /** The stream has delivered the final answer, so the thread need not be refetched. */
  let isWhole = false
  const throttle = createDeltaThrottle((event) => show(client, threadId, event), known?.content, known?.thought?.text)

  const ended = followAnswer({
    connect: (next, signal) => connect(threadId, next, signal),
    request,
    signal: abort.signal,
    receive(event) {
      if (event.type === 'error' && !getRun(threadId)?.messageId) throw new ApiError(event)
      throttle.receive(event)
      updateRun(client, threadId, event)
      isWhole = event.type === 'done'
      started.resolve()
    },
    onDisconnect(problem) {
      changeRun(threadId, { isDisconnected: true, isBusy: false, problem })
    },
    onBusy() {
      changeRun(threadId, { isDisconnected: false, isBusy: true })
    },
  })
    .catch((error: unknown) => {
      started.reject(error)
      return isAttach ? pause(FAILED_ATTACH_PAUSE_MS) : undefined
    })
    .finally(() => {
      throttle.end()
      storeLiveText(client, threadId)
      const isOutdated = getRun(threadId)?.isOutdated
      removeRun(threadId)
      releaseReload()
      if (!isWhole) readBalance(client)
      const thread = { queryKey: threadKey(threadId), exact: true }
      // The response of a running request may be older than the answer.
      if (!isWhole || isOutdated || client.isFetching(thread) > 0) void client.invalidateQueries(thread)
    })
  return { started: started.promise, ended }
}

const readBalance = (client: QueryClient) => void client.invalidateQueries({ queryKey: profileQuery.queryKey })

function depthOf(request: AnswerRequest): Pick<Run, 'modelId' | 'thinking'> {
  if (request.kind === 'attach') return {}
  const { modelId, thinking } = request.kind === 'send' ? request.body : request
  return { modelId, thinking }
}

/** The first stage of the answer, as expected until the server sends one. */
function stageOf(request: AnswerRequest): Pick<Run, 'stage'> {
  const { web, pages = [] } = request.kind === 'send' ? request.body : request.kind === 'regenerate' ? request : {}
  if (pages.length > 0) return { stage: { type: 'read', pages: pages.length } }
  return web ? { stage: { type: 'search', query: '' } } : {}
}

function updateRun(client: QueryClient, threadId: string, event: AnswerEvent) {
  const run = getRun(threadId)
  if (run?.isDisconnected || run?.isBusy) changeRun(threadId, { isDisconnected: false, isBusy: false })
  if (event.type === 'stage') changeRun(threadId, { stage: event.stage })
  else if (run?.stage && event.type !== 'start') changeRun(threadId, { stage: undefined })
  if (event.type === 'start') {
    changeRun(threadId, { questionId: event.user.id, messageId: event.assistant.id })
    if (run?.isStopping) void sendStop(threadId, event.assistant.id)
  }
  if (event.type !== 'done') return
  const { SingleSubscription, message } = event
  client.setQueryData(profileQuery.queryKey, (profile) => profile && { ...profile, SingleSubscription })
  if (!noteEnd(message.id) || client.isFetching({ queryKey: profileQuery.queryKey }) > 0) readBalance(client)
}

function show(client: QueryClient, threadId: string, event: AnswerEvent) {
  const message = streamingIn(client, threadId)
  if (isGrowth(event) && growLiveText(message, event)) return
  if (event.type === 'error') storeLiveText(client, threadId)
  applyToCache(client, threadId, event)
  if (message && (event.type === 'start' || event.type === 'done')) dropWhenShown(message.id)
}

const streamingIn = (client: QueryClient, threadId: string) =>
  client.getQueryData(threadKey(threadId))?.Messages.findLast(({ status }) => status === 'streaming')

function storeLiveText(client: QueryClient, threadId: string) {
  const message = streamingIn(client, threadId)
  if (!message) return
  client.setQueryData(threadKey(threadId), (data) => {
    if (!data) return data
    const Messages = changeStreaming(data.Messages, withLiveText)
    return Messages === data.Messages ? data : { ...data, Messages }
  })
  dropWhenShown(message.id)
}

/** Drops the live text after the cached thread is rendered: otherwise the end of the text would vanish for a moment. */
const dropWhenShown = (messageId: string) => notifyManager.schedule(liveTextDropper(messageId))

function applyToCache(client: QueryClient, threadId: string, event: AnswerEvent) {
  client.setQueryData(threadKey(threadId), (data) => {
    if (!data) return data
    const Messages = applyAnswer(data.Messages, event)
    if (Messages === data.Messages) return data
    return { ...data, Messages, ...(event.type === 'start' && { currentLeafId: event.assistant.id }) }
  })
}

/** Attaches to an answer that is running at the server; false when there is none, or this window has it already. */
export function attachToRunning(client: QueryClient, threadId: string): boolean {
  const last = client.getQueryData(threadKey(threadId))?.Messages.at(-1)
  if (last?.status !== 'streaming' || getRun(threadId)) return false
  const { id: messageId, content, thought, parentId, createdAt } = last
  const thoughtOffset = thought?.text.length ?? 0
  const request = { kind: 'attach', messageId, offset: content.length, thoughtOffset } as const
  const requestedAt = requestTime(createdAt, Date.now())
  startAnswerRun(client, { threadId, questionId: parentId ?? messageId, request, known: last, requestedAt })
  return true
}

/** No answer runs for longer than this; a greater difference means that a clock is wrong. */
const LONGEST_ANSWER_MS = 60 * 60_000

/** When a running answer was asked for, by the clock of the server; now when the clocks differ. */
export function requestTime(createdAt: string, now: number): number {
  const passed = now - Date.parse(createdAt)
  return passed >= 0 && passed < LONGEST_ANSWER_MS ? now - passed : now
}

/** Before the answer has started, the stop is sent again as soon as it does. */
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
    // Without a message id the stop is sent again on `start`; with one, the button becomes usable again.
    if (getRun(threadId)?.messageId) changeRun(threadId, { isStopping: false })
  }
}

/** Applies an event to the shown branch. Messages that do not change stay the same objects. */
export function applyAnswer(messages: Message[], event: AnswerEvent): Message[] {
  switch (event.type) {
    case 'start':
      return [...branchBefore(messages, event.user), event.user, event.assistant]
    case 'delta':
      return changeStreaming(messages, (message) => ({ ...message, content: appendDelta(message.content, event) }))
    case 'thought':
      return changeStreaming(messages, (message) => ({
        ...message,
        thought: { symbols: 0, ms: null, text: appendDelta(message.thought?.text ?? '', event) },
      }))
    case 'stage':
      return messages
    case 'stage-end':
      return changeStreaming(messages, (message) => ({ ...message, citations: event.citations, web: event.web }))
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

/** The messages before a question: up to itself or up to its parent. All of them if the parent is not loaded. */
function branchBefore(messages: Message[], { id, parentId }: Message): Message[] {
  const own = messages.findIndex((message) => message.id === id)
  if (own >= 0) return messages.slice(0, own)
  if (parentId === null) return []
  const parent = messages.findIndex((message) => message.id === parentId)
  return parent < 0 ? messages : messages.slice(0, parent + 1)
}

/** Places a delta by its offset, so that a repeated one changes nothing. One after a gap is ignored. */
function appendDelta(content: string, { offset, text }: { offset: number; text: string }): string {
  const from = offset - text.length
  return from > content.length ? content : content.slice(0, from) + text
}

function changeStreaming(messages: Message[], change: (message: Message) => Message): Message[] {
  const index = messages.findLastIndex(({ status }) => status === 'streaming')
  const message = messages[index]
  const changed = message && change(message)
  return changed && changed !== message ? messages.with(index, changed) : messages
}

/** A promise settled from outside. Its rejection may stay unhandled. */
function deferred() {
  let resolve = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
