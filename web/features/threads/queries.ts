import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  skipToken,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type Thread, type ThreadChange, threadsApi } from '#contract/threads.ts'
import { useFormCall } from '#web/features/auth/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { CHANGE, forgetThread, keepThread, lastKnownKey, listKey, showThread, THREADS } from './thread-cache.ts'
import { type View, withChange } from './thread-pages.ts'

/** Lists of threads are kept in step by news, so nothing else makes them stale. Failures are shown in place. */
export const threadsQuery = (view: View, query = '') =>
  infiniteQueryOptions({
    queryKey: listKey(view, query),
    queryFn: ({ pageParam, signal }) => readThreads(view, query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: query === '' ? Number.POSITIVE_INFINITY : 0,
    refetchOnWindowFocus: false,
    ...(query !== '' && { placeholderData: keepPreviousData }),
    meta: { silent: true },
  })

export function readThreads(view: View, query: string, cursor: string | null, signal?: AbortSignal) {
  const filter = { view, ...(query && { query }), ...(cursor && { cursor }) }
  return apiPage(threadsApi.list, { query: filter }, signal ? { signal } : {})
}

const FOUND_AT_ONCE = 8

/** A few threads for a palette. What was found stays until the next answer. */
export function useFoundThreads(query: string) {
  return useQuery({
    queryKey: [THREADS, 'found', query],
    queryFn: ({ signal }) => api(threadsApi.list, { query: { query, limit: FOUND_AT_ONCE } }, { signal }),
    enabled: query !== '',
    staleTime: 0,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })
}

/** A thread with what was changed since its owner was given it, agreed by the server or not yet. */
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
    .reduce((shown, { change }) => withChange(shown, change), newest)
}

interface ThreadsChange {
  threads: Thread[]
  change: ThreadChange
}

/** Rename, pin, archive, restore: shown at once and taken back when refused; one after another. */
export function useUpdateThreads() {
  return useThreadsCall<ThreadsChange>({
    key: CHANGE,
    show: (client, thread, { change }) => showThread(client, withChange(thread, change)),
    send: (thread, { change }) => api(threadsApi.update, { params: { id: thread.id }, body: change }),
    keep: (client, answer) => {
      keepThread(client, answer)
      return client.invalidateQueries({ queryKey: ['thread', answer.id] })
    },
  })
}

interface Threads {
  threads: Thread[]
}

/** Into the trash. */
export function useDeleteThreads() {
  const client = useQueryClient()
  return useThreadsCall<Threads>({
    key: [THREADS, 'delete'],
    show: (client, thread) => showThread(client, { ...thread, deletedAt: new Date().toISOString() }),
    send: async ({ id }) => {
      await whenClosed(client, id)
      return api(threadsApi.delete, { params: { id }, query: {} })
    },
    keep: (_client, answer) => {
      keepThread(client, answer)
      client.removeQueries({ queryKey: ['thread', answer.id], type: 'inactive' })
    },
  })
}

const CLOSING_MS = 2000

/** A conversation still on the screen would hear of its end and show that there is no such thread. */
async function whenClosed(client: QueryClient, id: string) {
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
    keep: () => undefined,
  })
}

interface ThreadsCall<Input extends Threads> {
  key: string[]
  show: (client: QueryClient, thread: Thread, input: Input) => void
  send: (thread: Thread, input: Input) => Promise<Thread>
  keep: (client: QueryClient, answer: Thread) => unknown
}

function useThreadsCall<Input extends Threads>({ key, show, send, keep }: ThreadsCall<Input>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: key,
    scope: { id: THREADS },
    mutationFn: (input: Input) =>
      sendAll(input.threads, (thread) => send(thread, input), {
        onDone: (answer) => isNewest(client, answer) && keep(client, answer),
        onFailed: (thread) => showThread(client, thread),
      }),
    onMutate: async (input) => {
      await client.cancelQueries({ queryKey: [THREADS, 'list'] })
      for (const thread of input.threads) show(client, thread, input)
    },
  })
}

/** While more changes of a thread wait, the answer to this one is already out of date. */
function isNewest(client: QueryClient, { id }: Thread): boolean {
  const pending = client.getMutationCache().findAll({ mutationKey: [THREADS], status: 'pending' })
  const about = pending.filter(({ state }) => (state.variables as Threads).threads.some((thread) => thread.id === id))
  return about.length === 1
}

/** Asks a model for a title; one that a person typed comes back as it was. */
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

/** A thread as strangers see it. Failures are shown in place. */
export const sharedThreadQuery = (shareId: string) =>
  queryOptions({
    queryKey: ['shared-thread', shareId],
    queryFn: ({ signal }) => api(threadsApi.shared, { params: { shareId } }, { signal }),
    meta: { silent: true },
  })

/** Opens a thread to whoever has its address, as it is at this moment; once more brings it up to date. */
export function useShareThread(id: string) {
  return useFormCall(() => api(threadsApi.share, { params: { id } }), keepAnswer)
}

export function useUnshareThread(id: string) {
  return useFormCall(() => api(threadsApi.unshare, { params: { id } }), keepAnswer)
}

function keepAnswer(client: QueryClient, thread: Thread) {
  keepThread(client, thread)
  return client.invalidateQueries({ queryKey: ['thread', thread.id] })
}

const AT_ONCE = 4

interface Outcomes<Item, Answer> {
  onDone: (answer: Answer) => unknown
  onFailed: (item: Item) => void
}

/** Sends one call for each thing, a few at a time; each has its own outcome, and the first failure is thrown at the end. */
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
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failures.length > 0) throw failures[0]
}
