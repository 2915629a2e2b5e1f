import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { type Rating, ratingsApi } from '#contract/ratings.ts'
import { type Message, type Thread, type ThreadChange, threadsApi } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { cameWithPage } from '#web/lib/page-state.ts'
import { outbox } from './state/outbox.ts'
import { getRun } from './state/runs.ts'
import { mergeFresh, prependOlder, type ThreadData, tailKey, threadKey, unsavedThread } from './state/thread-data.ts'

/** A chat that came with the page is not refetched for this long: a slow machine needs time to open its screen. */
const FRESH_WITH_PAGE_MS = 20_000

/**
 * One thread. Refetched whenever it is opened, except while an answer is running in this window:
 * then the window has more text than the database.
 */
export const threadQuery = (client: QueryClient, id: string) => {
  const isFree = () => !getRun(id)
  const unsaved = outbox()
    .all()
    .find((item) => item.threadId === id && item.newThread)
  return queryOptions({
    queryKey: threadKey(id),
    queryFn: ({ signal }) => readThread(client, id, signal),
    enabled: !unsaved,
    ...(unsaved && {
      initialData: () =>
        unsavedThread(
          id,
          unsaved.userId,
          modelOf(client, unsaved.newThread?.modelId),
          unsaved.newThread?.temporary === true,
        ),
    }),
    staleTime: ({ state }) => (cameWithPage(state.dataUpdatedAt) ? FRESH_WITH_PAGE_MS : 0),
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

/** Loads the page before the loaded messages; false when there is none. */
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

/** Loads pages until the message is there, or switches to the branch that has it. */
export async function reachMessage(client: QueryClient, id: string, messageId: string): Promise<boolean> {
  if (await loadUntil(client, id, messageId)) return true
  mergeThread(client, await api(threadsApi.update, { params: { id }, body: { currentLeafId: messageId } }))
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

export function mergeThread(client: QueryClient, thread: Thread): void {
  client.setQueryData(threadKey(thread.id), (data) => data && { ...data, ...thread })
}

/** Changes a thread in the cache at once and reverts it on an error. */
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
    onSuccess: (thread) => mergeThread(client, thread),
  })
}

/** Shows another version. One that was shown before appears at once with the messages after it. */
export function useSwitchVersion(threadId: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `thread:${threadId}` },
    mutationFn: async ({ to }: { from: Message; to: string }) => {
      const thread = await api(threadsApi.update, { params: { id: threadId }, body: { currentLeafId: to } })
      mergeThread(client, thread)
      await client.refetchQueries({ queryKey: threadKey(threadId), exact: true })
    },
    onMutate: ({ from, to }) => {
      const data = client.getQueryData(threadKey(threadId))
      const index = data?.Messages.findIndex(({ id }) => id === from.id) ?? -1
      if (!data || index < 0) return
      client.setQueryData(tailKey(threadId, from.id), data.Messages.slice(index))
      const tail = client.getQueryData(tailKey(threadId, to))
      if (!tail) return
      client.setQueryData(threadKey(threadId), { ...data, Messages: [...data.Messages.slice(0, index), ...tail] })
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

/** Null takes the rating back. */
export function useRateAnswer({ id, threadId, rating: before }: Message) {
  const client = useQueryClient()
  const show = (rating: Rating | null) => changeMessage(client, threadId, id, (message) => ({ ...message, rating }))
  return useMutation({
    scope: { id: `rating:${id}` },
    mutationFn: (rating: Rating | null): Promise<{ rating: Rating | null }> => {
      const params = { id: threadId, messageId: id }
      return rating ? api(ratingsApi.rate, { params, body: { rating } }) : api(ratingsApi.takeBack, { params })
    },
    onMutate: show,
    onError: () => show(before ?? null),
    onSuccess: ({ rating }) => show(rating),
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

export async function deleteMessage(client: QueryClient, threadId: string, messageId: string): Promise<void> {
  try {
    const { Thread } = await api(threadsApi.deleteMessage, { params: { id: threadId, messageId } }, { keepalive: true })
    mergeThread(client, Thread)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  await client.refetchQueries({ queryKey: threadKey(threadId), exact: true })
}
