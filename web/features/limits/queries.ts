import { queryOptions } from '@tanstack/react-query'
import { limitsApi } from '#contract/limits.ts'
import { api } from '#web/lib/api.ts'

const REFRESH_MS = 30_000

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => api(limitsApi.list, {}, { signal }),
  refetchInterval: REFRESH_MS,
  meta: { silent: true },
})
