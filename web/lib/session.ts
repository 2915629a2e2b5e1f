import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { pageApi, type SessionUser } from '#contract/page.ts'
import { api } from './api.ts'
import { forgetPerson } from './forget-person.ts'
import { pageUser } from './page-state.ts'

/** The signed-in user or null. Embedded in the page, so no request is needed at start. */
export const sessionQuery = queryOptions<SessionUser | null>({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await api(pageApi.state, {}, { signal })).user,
  initialData: pageUser,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

export function useSession(): SessionUser | null {
  return useQuery(sessionQuery).data ?? null
}

/** After sign-in, sign-out and the like. If the user has changed, the query cache is cleared. */
export async function refreshSession(queryClient: QueryClient): Promise<SessionUser | null> {
  const before = queryClient.getQueryData(sessionQuery.queryKey)
  const { user } = await api(pageApi.state, {})
  if (before?.id !== user?.id)
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] })
  queryClient.setQueryData(sessionQuery.queryKey, user)
  if (!user || user.impersonated) forgetPerson().catch(() => undefined)
  return user
}
