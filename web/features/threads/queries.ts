import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  skipToken,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Assistant } from '#contract/assistants.ts'
import { type Thread, type ThreadChange, threadsApi } from '#contract/threads.ts'
import { assistantsQuery } from '#web/features/assistants/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { CHANGE, forgetThread, lastKnownKey, listKey, showThread, storeThread, THREADS } from './thread-cache.ts'
import { applyThreadChange, type View } from './thread-pages.ts'

/** Lists without a search are updated by events, so they never become stale. Errors are shown in place of the list. */
export const threadsQuery = (view: View, query = '', project?: string) =>
  infiniteQueryOptions({
    queryKey: listKey(view, query, project),
    queryFn: ({ pageParam, signal }) =>
      apiPage(
        threadsApi.list,
        {
          query: {
            view,
            ...(query && { query }),
            ...(project && { project }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: query === '' ? Number.POSITIVE_INFINITY : 0,
    refetchOnWindowFocus: false,
    ...(query !== '' && { placeholderData: keepPreviousData }),
    meta: { silent: true },
  })

const FOUND_AT_ONCE = 8

/** A few threads for the palette. The previous result stays until the next one arrives. */
export function useFoundThreads(query: string) {
  return useQuery(
    callQuery(
      [THREADS, 'found', query],
      threadsApi.list,
      { query: { query, limit: FOUND_AT_ONCE } },
      { enabled: query !== '', staleTime: 0, placeholderData: keepPreviousData },
    ),
  )
}

const noBadges: ReadonlyMap<string, AssistantBadge> = new Map()

/** What an assistant is known by in a list of chats. */
export type AssistantBadge = Pick<Assistant, 'name' | 'avatar'>

/** By the id of the assistant; not requested when no chat has one. */
export function useAssistantBadges(rows: readonly Thread[]): ReadonlyMap<string, AssistantBadge> {
  const isWanted = rows.some(({ assistantId }) => assistantId !== null)
  const { data = noBadges } = useQuery({ ...assistantsQuery, enabled: isWanted, select: toBadges })
  return data
}

const toBadges = (all: readonly Assistant[]): ReadonlyMap<string, AssistantBadge> =>
  new Map(all.map((one) => [one.id, one]))

/** A thread with its newest known version and the changes that are being sent. */
export function useShownThread(thread: Thread): Thread {
  const known = useQuery<Thread>({
    queryKey: lastKnownKey(thread.id),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const pending = useMutationState({
    filters: { mutationKey: CHANGE, status: 'pending' },
    select: ({ state }) => state.variables as ThreadsChange,
  })
  const newest = known.data && known.data.version > thread.version ? known.data : thread
  return pending
    .filter(({ threads }) => threads.some(({ id }) => id === thread.id))
    .reduce((shown, { change }) => applyThreadChange(shown, change), newest)
}

interface ThreadsChange {
  threads: Thread[]
  change: ThreadChange
}

/** Rename, pin, archive, restore: applied to the cache at once, reverted on an error, sent one after another. */
export function useUpdateThreads() {
  return useThreadsCall<ThreadsChange>({
    key: CHANGE,
    show: (client, thread, { change }) => showThread(client, applyThreadChange(thread, change)),
    send: (thread, { change }) => api(threadsApi.update, { params: { id: thread.id }, body: change }),
    store: storeAndRefetch,
  })
}

interface Threads {
  threads: Thread[]
}

/** Moves threads to the trash. */
export function useDeleteThreads() {
  const client = useQueryClient()
  return useThreadsCall<Threads>({
    key: [THREADS, 'delete'],
    show: (client, thread) => showThread(client, { ...thread, deletedAt: new Date().toISOString() }),
    send: async ({ id }) => {
      await waitUntilClosed(client, id)
      return api(threadsApi.delete, { params: { id }, query: {} })
    },
    store: (_client, response) => {
      storeThread(client, response)
      client.removeQueries({ queryKey: ['thread', response.id], type: 'inactive' })
    },
  })
}

/** Ends a temporary thread: it is deleted at once. */
export function useEndThread() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: Thread) => {
      await waitUntilClosed(client, id)
      return api(threadsApi.delete, { params: { id }, query: {} })
    },
    onSuccess: ({ id }) => forgetThread(client, id),
  })
}

const CLOSING_MS = 2000

/** An open thread would receive its deletion and show a 404, so its page is left first. */
async function waitUntilClosed(client: QueryClient, id: string) {
  const isOpen = () =>
    client
      .getQueryCache()
      .find({ queryKey: ['thread', id] })
      ?.isActive()
  const late = Date.now() + CLOSING_MS
  while (isOpen() && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 50))
}

export function useDeleteForever() {
  return useThreadsCall<Threads>({
    key: [THREADS, 'delete-forever'],
    show: (client, { id }) => forgetThread(client, id),
    send: ({ id }) => api(threadsApi.delete, { params: { id }, query: { forever: '1' } }),
    store: () => undefined,
  })
}

interface ThreadsCall<Input extends Threads> {
  key: string[]
  show: (client: QueryClient, thread: Thread, input: Input) => void
  send: (thread: Thread, input: Input) => Promise<Thread>
  store: (client: QueryClient, response: Thread) => unknown
}

function useThreadsCall<Input extends Threads>({ key, show, send, store }: ThreadsCall<Input>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: key,
    scope: { id: THREADS },
    mutationFn: (input: Input) =>
      sendAll(input.threads, (thread) => send(thread, input), {
        onDone: (response) => isNewest(client, response) && store(client, response),
        onFailed: (thread) => showThread(client, thread),
      }),
    onMutate: async (input) => {
      await client.cancelQueries({ queryKey: [THREADS, 'list'] })
      for (const thread of input.threads) show(client, thread, input)
    },
  })
}

/** False while later changes of the thread are being sent: then this response is out of date. */
function isNewest(client: QueryClient, { id }: Thread): boolean {
  const pending = client.getMutationCache().findAll({ mutationKey: [THREADS], status: 'pending' })
  const about = pending.filter(({ state }) => (state.variables as Threads).threads.some((thread) => thread.id === id))
  return about.length === 1
}

/** Asks a model for a title; a title typed by the user comes back unchanged. */
export function useNameThread() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Thread) => api(threadsApi.rename, { params: { id } }),
    onSuccess: (title, thread) => {
      showThread(client, { ...thread, title })
      return client.invalidateQueries({ queryKey: ['thread', thread.id] })
    },
  })
}

/** A shared thread for readers without a session. Errors are shown in place. */
export const sharedThreadQuery = (shareId: string) =>
  callQuery(['shared-thread', shareId], threadsApi.shared, { params: { shareId } })

/** Shares a snapshot of the thread; calling it again updates the snapshot. */
export function useShareThread(id: string) {
  return useFormCall(() => api(threadsApi.share, { params: { id } }), storeAndRefetch)
}

export function useUnshareThread(id: string) {
  return useFormCall(() => api(threadsApi.unshare, { params: { id } }), storeAndRefetch)
}

function storeAndRefetch(client: QueryClient, thread: Thread) {
  storeThread(client, thread)
  return client.invalidateQueries({ queryKey: ['thread', thread.id] })
}

const MAX_PARALLEL_CALLS = 4

interface Outcomes<Item, Answer> {
  onDone: (answer: Answer) => unknown
  onFailed: (item: Item) => void
}

/** Sends one call per item, a few at a time. Each has its own outcome; the first error is thrown at the end. */
export async function sendAll<Item, Answer>(
  items: readonly Item[],
  send: (item: Item) => Promise<Answer>,
  { onDone, onFailed }: Outcomes<Item, Answer>,
): Promise<void> {
  const waiting = [...items]
  const failures: unknown[] = []
  async function work() {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await onDone(await send(item))
      } catch (failed) {
        failures.push(failed)
        onFailed(item)
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_CALLS }, work))
  if (failures.length > 0) throw failures[0]
}
