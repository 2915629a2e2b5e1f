import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type HelpPage, helpApi } from '#contract/help.ts'
import { api } from '#web/lib/api.ts'

/** Errors are shown in place. */
const meta = { silent: true }

export const helpContentsQuery = queryOptions({
  queryKey: ['help', 'contents'],
  queryFn: ({ signal }) => api(helpApi.list, {}, { signal }),
  meta,
})

export function helpPageQuery(slug: string) {
  return queryOptions({
    queryKey: ['help', 'page', slug],
    queryFn: ({ signal }) => api(helpApi.page, { params: { slug } }, { signal }),
    meta,
  })
}

/** The last results stay until the next response, so that the list does not blink while typing. */
export function useHelpSearch(query: string) {
  return useQuery({
    queryKey: ['help', 'search', query],
    queryFn: ({ signal }) => api(helpApi.search, { query: { query } }, { signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    meta,
  })
}

/** Optimistic: rolled back if the call fails. */
export function useHelpFeedback(slug: string) {
  const client = useQueryClient()
  const { queryKey } = helpPageQuery(slug)
  const show = (useful: boolean | null) =>
    client.setQueryData(queryKey, (page: HelpPage | undefined) => page && { ...page, useful })
  return useMutation({
    mutationFn: (useful: boolean) => api(helpApi.feedback, { body: { slug, useful } }),
    onMutate: (useful) => {
      const before = client.getQueryData(queryKey)?.useful ?? null
      show(useful)
      return before
    },
    onError: (_error, _useful, before) => show(before ?? null),
  })
}
