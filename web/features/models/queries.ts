import { queryOptions } from '@tanstack/react-query'
import { modelsApi } from '#contract/models.ts'
import { api } from '#web/lib/api.ts'

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api(modelsApi.list, {}, { signal }),
  staleTime: 5 * 60_000,
})
