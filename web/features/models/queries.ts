import { queryOptions } from '@tanstack/react-query'
import { modelsApi } from '#contract/models.ts'
import { api } from '#web/lib/api.ts'

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api(modelsApi.list, {}, { signal }),
  staleTime: 5 * 60_000,
})

/** What answers usually cost; without it no such price is shown. */
export const usualCostsQuery = queryOptions({
  queryKey: ['models', 'usual-costs'],
  queryFn: ({ signal }) => api(modelsApi.usualCosts, {}, { signal }),
  staleTime: 10 * 60_000,
  meta: { silent: true },
})
