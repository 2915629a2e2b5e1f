import { queryOptions } from '@tanstack/react-query'
import { statusApi } from '#contract/status.ts'
import { api } from '#web/lib/api.ts'

/** Only while the page is visible. */
const REFRESH_MS = 15_000

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => api(statusApi.get, {}, { signal }),
  refetchInterval: REFRESH_MS,
  meta: { silent: true },
})
