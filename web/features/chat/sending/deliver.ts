import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { threadsApi } from '#contract/threads.ts'
import { api } from '#web/lib/api.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import { withJitter } from '#web/lib/retry.ts'
import { refreshSession } from '#web/lib/session.ts'
import { withLock } from '#web/lib/with-lock.ts'
import { attachToRunning, startAnswerRun } from '../answers/answer-run.ts'
import { isTemporaryError, pauseOrWake } from '../answers/answer-stream.ts'
import { threadQuery } from '../queries.ts'
import { NEW_CHAT, rememberOutOfSymbols } from '../state/out-of-symbols.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { getRun, subscribeRuns } from '../state/runs.ts'
import { threadKey } from '../state/thread-data.ts'
import { neededFor } from './needed-symbols.ts'
import { pendingDeletion, returnToDraft } from './outgoing.ts'

/**
 * Sends the outbox. Messages of a thread are sent one at a time, each after the answer to the previous one.
 * A lock per thread lets one tab send at a time; when it is closed, another takes over.
 */
export function startDelivery(client: QueryClient, userId: string): () => void {
  const abort = new AbortController()
  const busy = new Set<string>()

  function check() {
    for (const { threadId } of outbox().all()) {
      if (busy.has(threadId) || !nextItem(userId, threadId)) continue
      busy.add(threadId)
      void deliverThread(client, userId, threadId, abort.signal).finally(() => busy.delete(threadId))
    }
  }

  // These were rejected without a session, and now there is one.
  for (const { id, failure } of outbox().all())
    if (failure?.code === 'unauthorized') outbox().update(id, { failure: undefined })
  const unsubscribe = outbox().subscribe(check)
  check()
  return () => {
    unsubscribe()
    abort.abort()
  }
}

/** The oldest message of a thread. A rejected one blocks those after it: they may depend on it. */
function nextItem(userId: string, threadId: string): OutboxItem | undefined {
  const first = outbox()
    .all()
    .find((item) => item.threadId === threadId && item.userId === userId)
  return first?.failure ? undefined : first
}

async function deliverThread(client: QueryClient, userId: string, threadId: string, signal: AbortSignal) {
  const first = sendAtOnce(client, userId, threadId, signal)
  await withLock(`outbox:${threadId}`, async () => {
    await first
    for (let item = nextItem(userId, threadId); item && !signal.aborted; item = nextItem(userId, threadId)) {
      if (!item.newThread) await client.ensureQueryData(threadQuery(client, threadId)).catch(() => null)
      await waitForAnswerEnd(client, threadId)
      await pendingDeletion(threadId)?.finish()
      if (outbox().get(item.id)) await deliver(client, item, signal)
    }
  })
}

/**
 * Sends a message that was just written here before the lock is granted, because the page would render first. Another
 * window has the lock only while it sends to the same thread; then the server rejects this message, and it is sent
 * again under the lock.
 */
async function sendAtOnce(client: QueryClient, userId: string, threadId: string, signal: AbortSignal): Promise<void> {
  const item = nextItem(userId, threadId)
  if (!item || !outbox().takeWritten(item.id)) return
  const isKnown = item.newThread || client.getQueryData(threadKey(threadId))
  const isBlocked = getRun(threadId) || pendingDeletion(threadId)
  const isFree = isKnown && !isBlocked && !attachToRunning(client, threadId)
  if (isFree) await deliver(client, item, signal, { isAlone: false })
}

/** Waits until no answer is running in the thread. */
async function waitForAnswerEnd(client: QueryClient, threadId: string): Promise<void> {
  while (getRun(threadId) || attachToRunning(client, threadId)) {
    await new Promise<void>((resolve) => {
      const unsubscribe = subscribeRuns(() => {
        if (getRun(threadId)) return
        unsubscribe()
        resolve()
      })
    })
  }
}

async function deliver(
  client: QueryClient,
  item: OutboxItem,
  signal: AbortSignal,
  { isAlone } = { isAlone: true },
): Promise<void> {
  const { id, threadId, content, files, parentId, modelId, thinking, web, pages, asIs } = item
  try {
    if (item.newThread) await createThread(client, item, signal)
    const body = {
      id,
      content,
      ...(parentId !== undefined && { parentId }),
      ...(modelId && { modelId }),
      ...(asIs && { asIs }),
      ...(thinking && { thinking }),
      ...(files.length > 0 && { fileIds: files.map((file) => file.id) }),
      ...(web && { web }),
      ...(pages && pages.length > 0 && { pages }),
    }
    const { started, ended } = startAnswerRun(client, { threadId, questionId: id, request: { kind: 'send', body } })
    await started
    outbox().remove(id)
    await ended
  } catch (error) {
    if (!isAlone && isConflict(error)) return
    await handleRejection(client, item, error, signal)
  }
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict'

/** Retried until it succeeds: the same id is the same thread. */
async function createThread(client: QueryClient, { id, threadId, newThread }: OutboxItem, signal: AbortSignal) {
  const body = {
    id: threadId,
    ...(newThread?.modelId && { Model: { connect: { id: newThread.modelId } } }),
    ...(newThread?.assistantId && { assistantId: newThread.assistantId }),
    ...(newThread?.temporary && { temporary: true }),
  }
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    let wait: number | null
    try {
      const thread = await api(threadsApi.create, { body })
      client.setQueryData(threadKey(threadId), (data) => ({ ...thread, olderCursor: data?.olderCursor ?? null }))
      for (const item of outbox().all())
        if (item.threadId === threadId) outbox().update(item.id, { newThread: undefined })
      return
    } catch (error) {
      if (!isTemporaryError(error, { kind: 'send' }) || !outbox().get(id)) throw error
      wait = error instanceof ApiError && error.retryAfter !== undefined ? withJitter(error.retryAfter) : null
    }
    await pauseOrWake(wait ?? reconnectDelay(attempt), signal)
  }
}

/** Handles a message that the server did not accept. Its text is never lost. */
async function handleRejection(client: QueryClient, { id }: OutboxItem, error: unknown, signal: AbortSignal) {
  const { code, message } = error instanceof ApiError ? error : { code: 'unknown', message: 'Unknown error' }
  // Read again, because its thread may have been created meanwhile.
  const current = outbox().get(id)
  if (!current || signal.aborted) return
  if (code === 'conflict' && (await isAnswering(client, current.threadId))) return
  const item = await withoutEmptyThread(client, current)
  if (code === 'out_of_symbols') {
    const isNew = item.newThread !== undefined
    rememberOutOfSymbols(client, isNew ? NEW_CHAT : item.threadId, message, neededFor(client, item))
  }
  if (code === 'out_of_symbols' && item.parentId === undefined) returnToDraft(item)
  else outbox().update(item.id, { failure: { code, message: callErrorText(error) } })
  if (code === 'unauthorized') await refreshSession(client).catch(() => null)
}

/** Deletes the thread that was created for a rejected first message: the list would show an empty chat. */
async function withoutEmptyThread(client: QueryClient, item: OutboxItem): Promise<OutboxItem> {
  const thread = client.getQueryData(threadKey(item.threadId))
  if (item.newThread || thread?.Messages.length !== 0) return item
  try {
    await api(threadsApi.delete, { params: { id: item.threadId }, query: { forever: '1' } })
  } catch {
    return item
  }
  const { Model, assistantId, temporary } = thread
  const newThread = { modelId: Model?.id ?? null, assistantId, ...(temporary && { temporary }) }
  for (const other of outbox().all()) if (other.threadId === item.threadId) outbox().update(other.id, { newThread })
  return { ...item, newThread }
}

/** Another window has asked a question meanwhile: the message waits for that answer. */
async function isAnswering(client: QueryClient, threadId: string): Promise<boolean> {
  const data = await client.fetchQuery({ ...threadQuery(client, threadId), staleTime: 0 }).catch(() => null)
  return data?.Messages.at(-1)?.status === 'streaming'
}
