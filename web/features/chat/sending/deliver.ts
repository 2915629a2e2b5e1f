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
import { isTemporaryError, pauseOrWake, problemOf } from '../answers/answer-stream.ts'
import { threadQuery } from '../queries.ts'
import { NEW_CHAT, rememberOutOfSymbols } from '../state/out-of-symbols.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { pendingDeletion } from '../state/pending-deletions.ts'
import { getRun, putRun, type Run, removeRun, subscribeRuns } from '../state/runs.ts'
import { threadKey } from '../state/thread-data.ts'
import { neededFor } from './needed-symbols.ts'
import { returnToDraft } from './return-to-draft.ts'

/** Threads whose messages this window is sending. */
const busy = new Set<string>()

/**
 * Sends the messages of a thread one at a time, each after the answer to the previous one. A lock per thread lets one
 * window send at a time; when it is closed, another takes over.
 * `writtenId` is the message that was just written here.
 */
export async function deliverThread(
  client: QueryClient,
  userId: string,
  threadId: string,
  writtenId?: string,
): Promise<void> {
  const first = nextItem(userId, threadId)
  if (!first || busy.has(threadId)) return
  busy.add(threadId)
  const posted = first.id === writtenId && isFree(client, first) ? sendAtOnce(client, first) : null
  await withLock(`outbox:${threadId}`, async () => {
    try {
      await posted
      for (let item = nextItem(userId, threadId); item; item = nextItem(userId, threadId)) {
        await waitUntilFree(client, item)
        if (outbox().get(item.id)) await post(client, item).catch((error) => handleRejection(client, item, error))
      }
    } finally {
      busy.delete(threadId)
    }
  })
}

/**
 * Posts before the lock is granted, because the page would render first. Another window has the lock only while it
 * sends to the same thread; then the server rejects this message, and it is posted again under the lock.
 */
async function sendAtOnce(client: QueryClient, item: OutboxItem): Promise<void> {
  await post(client, item).catch((error) => {
    const isConflict = error instanceof ApiError && error.code === 'conflict'
    return isConflict ? undefined : handleRejection(client, item, error)
  })
}

/** The oldest message of a thread. A rejected one blocks those after it: they may depend on it. */
function nextItem(userId: string, threadId: string): OutboxItem | undefined {
  const first = outbox()
    .all()
    .find((item) => item.threadId === threadId && item.userId === userId)
  return first?.failure ? undefined : first
}

/** Whether the thread is known, no answer is running in it and no deletion is on its way. */
function isFree(client: QueryClient, { threadId, newThread }: OutboxItem): boolean {
  const isKnown = newThread !== undefined || client.getQueryData(threadKey(threadId)) !== undefined
  return isKnown && !getRun(threadId) && !pendingDeletion(threadId) && !attachToRunning(client, threadId)
}

async function waitUntilFree(client: QueryClient, { threadId, newThread }: OutboxItem): Promise<void> {
  if (!newThread) await client.ensureQueryData(threadQuery(client, threadId)).catch(() => null)
  while (getRun(threadId) || attachToRunning(client, threadId)) {
    await new Promise<void>((resolve) => {
      const unsubscribe = subscribeRuns(() => {
        if (getRun(threadId)) return
        unsubscribe()
        resolve()
      })
    })
  }
  await pendingDeletion(threadId)?.finish()
}

/** Resolves when the answer has ended; throws when the server did not accept the message. */
async function post(client: QueryClient, item: OutboxItem): Promise<void> {
  const { id, threadId } = item
  if (item.newThread && !(await createThread(client, item))) return
  const request = { kind: 'send', body: bodyOf(item) } as const
  const { started, ended } = startAnswerRun(client, { threadId, questionId: id, request })
  await started
  outbox().remove(id)
  await ended
}

function bodyOf({ id, content, files, imageId, parentId, modelId, thinking, web, pages, asIs }: OutboxItem) {
  return {
    id,
    content,
    ...(parentId !== undefined && { parentId }),
    ...(modelId && { modelId }),
    ...(asIs && { asIs }),
    ...(thinking && { thinking }),
    ...(files.length > 0 && { fileIds: files.map((file) => file.id) }),
    ...(imageId && { imageId }),
    ...(web && { web }),
    ...(pages && pages.length > 0 && { pages }),
  }
}

/** Retried until it succeeds: the same id is the same thread. False when the message was taken back meanwhile. */
async function createThread(client: QueryClient, item: OutboxItem): Promise<boolean> {
  const { id, threadId, newThread } = item
  const body = {
    id: threadId,
    ...(newThread?.modelId && { Model: { connect: { id: newThread.modelId } } }),
    ...(newThread?.assistantId && { assistantId: newThread.assistantId }),
    ...(newThread?.temporary && { temporary: true }),
  }
  const abort = new AbortController()
  try {
    for (let attempt = 0; outbox().get(id); attempt++) {
      try {
        const thread = await api(threadsApi.create, { body })
        client.setQueryData(threadKey(threadId), (data) => ({ ...thread, olderCursor: data?.olderCursor ?? null }))
        changeThreadItems(threadId, { newThread: undefined })
        if (outbox().get(id)) return true
        await withoutEmptyThread(client, { ...item, newThread: undefined })
      } catch (error) {
        if (!isTemporaryError(error, { kind: 'send' })) throw error
        putRun(
          threadId,
          waitingRun(item, error, () => abort.abort()),
        )
        const seconds = error instanceof ApiError ? error.retryAfter : undefined
        await pauseOrWake(seconds === undefined ? reconnectDelay(attempt) : withJitter(seconds), abort.signal)
      }
    }
  } finally {
    removeRun(threadId)
  }
  return false
}

/** Says at the message why its thread is not there yet, as for a message in an existing thread. */
function waitingRun({ id, modelId, thinking }: OutboxItem, error: unknown, disconnect: () => void): Run {
  const problem = problemOf(error)
  const state = { messageId: null, isDisconnected: true, isBusy: false, isStopping: false }
  return { kind: 'send', questionId: id, modelId, thinking, problem, disconnect, ...state }
}

function changeThreadItems(threadId: string, change: Partial<OutboxItem>) {
  for (const item of outbox().all()) if (item.threadId === threadId) outbox().update(item.id, change)
}

/** Handles a message that the server did not accept. Its text is never lost. */
async function handleRejection(client: QueryClient, { id }: OutboxItem, error: unknown) {
  const { code, message } = error instanceof ApiError ? error : { code: 'unknown', message: 'Unknown error' }
  // Read again, because its thread may have been created meanwhile.
  const current = outbox().get(id)
  if (!current) return
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
  changeThreadItems(item.threadId, { newThread })
  return { ...item, newThread }
}

/** Another window has asked a question meanwhile: the message waits for that answer. */
async function isAnswering(client: QueryClient, threadId: string): Promise<boolean> {
  const data = await client.fetchQuery({ ...threadQuery(client, threadId), staleTime: 0 }).catch(() => null)
  return data?.Messages.at(-1)?.status === 'streaming'
}
