import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { pageApi, type SessionUser } from '#contract/page.ts'
import { api } from './api.ts'
import { forgetPerson, rememberSignOut, settleWords } from './forget-person.ts'
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
  const known = queryClient.getQueryData(sessionQuery.queryKey)
  const before = known === undefined ? pageUser() : known
  const { user } = await api(pageApi.state, {})
  if (before?.id !== user?.id) await changePerson(queryClient, user)
  queryClient.setQueryData(sessionQuery.queryKey, user)
  if (!user || user.impersonated) forgetPerson().catch(() => undefined)
  return user
}

/** Seals the words of the former user and opens those of the new one before a screen reads them. */
async function changePerson(queryClient: QueryClient, user: SessionUser | null): Promise<void> {
  const hasMoved = await settleWords(wordsOwner(user))
  // Another tab may have sealed them: what this one has in memory must not be stored again.
  dispatchEvent(new StorageEvent('storage', { key: null }))
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] })
  if (hasMoved) location.reload()
}

/** An admin who impersonates a user does not get their words. */
export const wordsOwner = (user: SessionUser | null) => (user && !user.impersonated ? user.id : null)

/** A sign-out without a network; the next page ends the session on the server. */
export async function leaveWithoutServer(queryClient: QueryClient): Promise<void> {
  rememberSignOut()
  await changePerson(queryClient, null)
  queryClient.setQueryData(sessionQuery.queryKey, null)
  forgetPerson().catch(() => undefined)
}
