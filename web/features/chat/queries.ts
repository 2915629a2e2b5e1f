import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#contract/call.ts'
import { ApiError } from '#contract/errors.ts'
import { type Message, type Thread, type ThreadChange, threadsApi } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { getRun } from './answers/runs.ts'
import { outbox } from './outbox/outbox.ts'
import { mergeFresh, prependOlder, type ThreadData, tailKey, threadKey, unbornThread } from './thread/thread-data.ts'

/**
 * One thread. It is read again whenever it is opened, but never over an answer that is running here:
 * the window that hears it knows more than the database.
 */
export const threadQuery = (client: QueryClient, id: string) => {
  const isFree = () => !getRun(id)
  const unborn = outbox()
    .all()
    .find((item) => item.threadId === id && item.newThread)
  return queryOptions({
    queryKey: threadKey(id),
    queryFn: ({ signal }) => readThread(client, id, signal),
    enabled: !unborn,
    ...(unborn && { initialData: () => unbornThread(id, unborn.userId, modelOf(client, unborn.newThread?.modelId)) }),
    staleTime: 0,
    gcTime: 15 * 60_000,
    refetchOnMount: isFree,
    refetchOnWindowFocus: isFree,
    refetchOnReconnect: isFree,
    meta: { silent: true },
  })
}

function modelOf(client: QueryClient, id: string | null | undefined): ThreadData['Model'] {
  const model = client.getQueryData(modelsQuery.queryKey)?.find((known) => known.id === id)
  return id ? { id, name: model?.name ?? 'Модель' } : null
}

async function readThread(client: QueryClient, id: string, signal: AbortSignal): Promise<ThreadData> {
  const { items, nextCursor } = await apiPage(threadsApi.get, { params: { id }, query: {} }, { signal })
  const before = client.getQueryData(threadKey(id))
  return before && getRun(id) ? before : mergeFresh(before, items, nextCursor)
}

/** The part before what is loaded; false when there is none. */
export async function loadOlder(client: QueryClient, id: string, onLoaded?: () => void): Promise<boolean> {
  const cursor = client.getQueryData(threadKey(id))?.olderCursor
  if (!cursor) return false
  const { items, nextCursor } = await apiPage(threadsApi.get, { params: { id }, query: { cursor } })
  onLoaded?.()
  client.setQueryData(threadKey(id), (data) =>
    data?.olderCursor === cursor ? prependOlder(data, items.Messages, nextCursor) : data,
  )
  return true
}

/** Makes sure that a message is on the page: loads what is before, or shows the branch it is in. */
export async function reachMessage(client: QueryClient, id: string, messageId: string): Promise<boolean> {
  if (await loadUntil(client, id, messageId)) return true
  keepThread(client, await api(threadsApi.update, { params: { id }, body: { currentLeafId: messageId } }))
  await client.refetchQueries({ queryKey: threadKey(id), exact: true })
  return loadUntil(client, id, messageId)
}

async function loadUntil(client: QueryClient, id: string, messageId: string): Promise<boolean> {
  for (;;) {
    const isHere = client.getQueryData(threadKey(id))?.Messages.some((message) => message.id === messageId)
    if (isHere) return true
    if (!(await loadOlder(client, id))) return false
  }
}

export function keepThread(client: QueryClient, thread: Thread): void {
  client.setQueryData(threadKey(thread.id), (data) => data && { ...data, ...thread })
}

/** The model of a thread, shown at once and taken back when refused. */
export function useChangeThread(id: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `thread:${id}` },
    mutationFn: ({ body }: { body: ThreadChange; shown: Partial<Thread> }) =>
      api(threadsApi.update, { params: { id }, body }),
    onMutate: ({ shown }) => {
      const before = client.getQueryData(threadKey(id))
      if (before) client.setQueryData(threadKey(id), { ...before, ...shown })
      return before
    },
    onError: (_error, _change, before) => client.setQueryData(threadKey(id), before),
    onSuccess: (thread) => keepThread(client, thread),
  })
}

/** Shows another version. One that was seen before is there at once with all that follows it. */
export function useSwitchVersion(threadId: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `thread:${threadId}` },
    mutationFn: async ({ to }: { from: Message; to: string }) => {
      const thread = await api(threadsApi.update, { params: { id: threadId }, body: { currentLeafId: to } })
      keepThread(client, thread)
      await client.refetchQueries({ queryKey: threadKey(threadId), exact: true })
    },
    onMutate: ({ from, to }) => {
      const data = client.getQueryData(threadKey(threadId))
      const place = data?.Messages.findIndex(({ id }) => id === from.id) ?? -1
      if (!data || place < 0) return
      client.setQueryData(tailKey(threadId, from.id), data.Messages.slice(place))
      const tail = client.getQueryData(tailKey(threadId, to))
      if (!tail) return
      client.setQueryData(threadKey(threadId), { ...data, Messages: [...data.Messages.slice(0, place), ...tail] })
    },
    onError: () => client.invalidateQueries({ queryKey: threadKey(threadId), exact: true }),
  })
}

export function useEditMessage(threadId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ messageId, content }: { messageId: string; content: string }) =>
      api(threadsApi.editMessage, { params: { id: threadId, messageId }, body: { content } }),
    onMutate: ({ messageId, content }) => {
      const before = client.getQueryData(threadKey(threadId))
      changeMessage(client, threadId, messageId, (message) => ({ ...message, content }))
      return before
    },
    onError: (_error, _edit, before) => client.setQueryData(threadKey(threadId), before),
    onSuccess: (message) => changeMessage(client, threadId, message.id, () => message),
  })
}

function changeMessage(client: QueryClient, threadId: string, id: string, change: (message: Message) => Message) {
  client.setQueryData(
    threadKey(threadId),
    (data) =>
      data && { ...data, Messages: data.Messages.map((message) => (message.id === id ? change(message) : message)) },
  )
}

export function useFork(threadId: string) {
  return useMutation({
    mutationFn: (messageId: string) => api(threadsApi.fork, { params: { id: threadId }, body: { messageId } }),
  })
}

const outliving = (url: string, init: RequestInit) => fetch(url, { ...init, keepalive: true })

/** Deletes for good. A page that is being left does it all the same. */
export async function deleteMessage(client: QueryClient, threadId: string, messageId: string): Promise<void> {
  try {
    const { Thread } = await call(threadsApi.deleteMessage, { params: { id: threadId, messageId } }, outliving)
    keepThread(client, Thread)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  await client.refetchQueries({ queryKey: threadKey(threadId), exact: true })
}
