import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type Prompt, type PromptChange, type PromptDraft, promptsApi } from '#contract/prompts.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { type LibraryFilter, toLibraryQuery, type View } from './library-filter.ts'

export const PROMPTS = 'prompts'
const LIBRARY = [PROMPTS, 'library'] as const
const PAGE = 60

interface LibraryPage {
  items: Prompt[]
  nextCursor: string | null
}

/** Errors are shown in place. Old results stay until the next response, so that cards do not flicker while typing. */
export const libraryQuery = (filter: LibraryFilter) =>
  infiniteQueryOptions({
    queryKey: [...LIBRARY, filter],
    queryFn: ({ pageParam, signal }): Promise<LibraryPage> =>
      apiPage(
        promptsApi.list,
        { query: { ...toLibraryQuery(filter), limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })

export const categoriesQuery = (view: View) =>
  callQuery(
    [PROMPTS, 'categories', view],
    promptsApi.categories,
    { query: { view } },
    { placeholderData: keepPreviousData },
  )

/** `share` is the token of a shared link: it opens another user's prompt. */
export const promptQuery = (id: string, share: string | null = null) =>
  callQuery([PROMPTS, 'one', id], promptsApi.get, { params: { id }, query: share ? { share } : {} })

/** Initial data from a loaded list, so that the screen does not start empty. */
export function knownPrompt(client: QueryClient, id: string): Prompt | undefined {
  const lists = client.getQueriesData<InfiniteData<LibraryPage>>({ queryKey: LIBRARY })
  return lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? []).find((prompt) => prompt.id === id)
}

export const versionsQuery = (id: string) =>
  callQuery([PROMPTS, 'versions', id], promptsApi.versions, { params: { id } })

export const refreshPrompts = (client: QueryClient) => client.invalidateQueries({ queryKey: [PROMPTS] })

/** Stores the new state of a prompt; lists are refetched, because its position may have changed. */
async function cachePrompt(client: QueryClient, prompt: Prompt): Promise<void> {
  client.setQueryData(promptQuery(prompt.id).queryKey, prompt)
  await refreshPrompts(client)
}

export function useCreatePrompt() {
  return useFormCall((body: PromptDraft) => api(promptsApi.create, { body }), cachePrompt)
}

export function useChangePrompt(id: string) {
  return useFormCall((body: PromptChange) => api(promptsApi.update, { params: { id }, body }), cachePrompt)
}

function usePromptCall<Input>(run: (input: Input) => Promise<Prompt>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: (prompt) => cachePrompt(client, prompt) })
}

export function useDuplicate() {
  const client = useQueryClient()
  return usePromptCall(async (id: string) => {
    await saveSharedFirst(client, id)
    return api(promptsApi.duplicate, { params: { id } })
  })
}

export const useSaveShared = (id: string) =>
  usePromptCall((share: string) => api(promptsApi.keep, { params: { id }, body: { share } }))

/** An action on a shared prompt copies it into the library first. */
async function saveSharedFirst(client: QueryClient, id: string): Promise<void> {
  const share = new URLSearchParams(location.search).get('share')
  const isShown = client.getQueryData(promptQuery(id).queryKey)?.inLibrary === false
  if (share && isShown) await api(promptsApi.keep, { params: { id }, body: { share } })
}

export const useShare = (id: string) => usePromptCall(() => api(promptsApi.share, { params: { id } }))
export const useUnshare = (id: string) => usePromptCall(() => api(promptsApi.unshare, { params: { id } }))
export const useRestoreVersion = (id: string) =>
  usePromptCall((version: number) => api(promptsApi.restore, { params: { id, version: String(version) } }))

/** Moves a prompt to the trash. */
export function useDeletePrompt() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(promptsApi.delete, { params: { id } }),
    // The screen of the prompt may still be mounted: a refetch would show an error there.
    onSuccess: ({ id }) => {
      const own = promptQuery(id).queryKey
      void client.invalidateQueries({ queryKey: own, refetchType: 'none' })
      void client.invalidateQueries({ queryKey: [PROMPTS], predicate: ({ queryKey }) => !isSame(queryKey, own) })
    },
  })
}

const isSame = (a: readonly unknown[], b: readonly unknown[]) => a[1] === b[1] && a[2] === b[2]

export function useUndelete() {
  return usePromptCall((id: string) => api(promptsApi.update, { params: { id }, body: { deleted: false } }))
}

/** Optimistic, with a rollback on error. */
export function useFavourite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, favourite }: { id: string; favourite: boolean }) => {
      await saveSharedFirst(client, id)
      return api(promptsApi.favourite, { params: { id }, body: { favourite } })
    },
    onSuccess: ({ id }) => patchCached(client, id, { inLibrary: true }),
    onMutate: ({ id, favourite }) => patchCached(client, id, { favourite }),
    onError: (_error, { id, favourite }) => patchCached(client, id, { favourite: !favourite }),
    onSettled: () => client.invalidateQueries({ queryKey: LIBRARY, refetchType: 'none' }),
  })
}

/** Counts a use in the background. The same id is counted once. */
export function recordUse(client: QueryClient, id: string, useId: string): void {
  saveSharedFirst(client, id)
    .then(() => api(promptsApi.use, { params: { id }, body: { id: useId } }))
    .then(
      ({ uses }) => patchCached(client, id, { uses, inLibrary: true }),
      () => undefined,
    )
}

/** Changes a prompt in all cached lists without a request. */
function patchCached(client: QueryClient, id: string, change: Partial<Prompt>): void {
  const patch = (prompt: Prompt) => (prompt.id === id ? { ...prompt, ...change } : prompt)
  client.setQueryData(promptQuery(id).queryKey, (prompt) => prompt && patch(prompt))
  client.setQueriesData<InfiniteData<LibraryPage>>(
    { queryKey: LIBRARY },
    (pages) => pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map(patch) })) },
  )
}
