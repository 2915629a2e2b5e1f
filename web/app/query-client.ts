import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { notify } from '#web/lib/notify.ts'
import { refreshSession } from '#web/lib/session.ts'
import { describeError, isCancelled, isUnauthorized } from './describe-error.ts'

interface Meta extends Record<string, unknown> {
  /** The caller shows the error itself. */
  silent?: boolean
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

/** The client of the page; tests create their own. */
export const queryClient = createQueryClient()

export function createQueryClient(): QueryClient {
  /** Shows all failed calls. A lost session is not shown: the guard redirects to sign-in. */
  function showError(error: unknown, meta: Meta | undefined) {
    if (isUnauthorized(error)) {
      refreshSession(client).catch((failed: unknown) => showError(failed, undefined))
      return
    }
    if (meta?.silent || isCancelled(error)) return
    const text = describeError(error)
    notify.error({ id: text, title: text })
  }

  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => showError(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _onMutate, mutation) => showError(error, mutation.meta),
    }),
    // `api` retries by status.
    defaultOptions: { queries: { retry: false, staleTime: 30_000 }, mutations: { retry: false } },
  })
  return client
}
