import { type QueryKey, queryOptions, type UndefinedInitialDataOptions } from '@tanstack/react-query'
import type { Answer, Args, JsonEndpoint } from '#contract/endpoint.ts'
import { api } from './api.ts'

type Options<Data> = Omit<UndefinedInitialDataOptions<Data>, 'queryKey' | 'queryFn' | 'select'>

/** A query that makes one call. Its errors are shown in place, not as a toast. */
export function callQuery<E extends JsonEndpoint>(
  queryKey: QueryKey,
  endpoint: E,
  args: Args<E>,
  options?: Options<Answer<E>>,
) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => api(endpoint, args, { signal }),
    meta: { silent: true },
    ...options,
  })
}
