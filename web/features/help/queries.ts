import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type HelpPage, helpApi } from '#contract/help.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'

/** Errors are shown in place. */

export const helpContentsQuery = callQuery(['help', 'contents'], helpApi.list, {})

export function helpPageQuery(slug: string) {
  return callQuery(['help', 'page', slug], helpApi.page, { params: { slug } })
}

/** The last results stay until the next response, so that the list does not blink while typing. */
export function useHelpSearch(query: string) {
  return useQuery(
    callQuery(
      ['help', 'search', query],
      helpApi.search,
      { query: { query } },
      { enabled: query !== '', placeholderData: keepPreviousData },
    ),
  )
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
