import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type DisputeDetails, type DisputeQuery, type DisputeReturn, disputesApi } from '#contract/disputes.ts'
import { ApiError } from '#contract/errors.ts'
import { api } from '#web/lib/api.ts'

const DISPUTES = 'disputes'

export const disputeListQuery = (query: DisputeQuery) =>
  queryOptions({
    queryKey: [DISPUTES, 'list', query],
    queryFn: ({ signal }) => api(disputesApi.list, { query }, { signal }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: [DISPUTES, 'one', id],
    queryFn: ({ signal }) => api(disputesApi.get, { params: { id } }, { signal }),
    meta: { silent: true },
  })

const MINUTE_MS = 60_000

/** Polled, because new disputes arrive while the page is open. */
export const waitingQuery = queryOptions({
  queryKey: [DISPUTES, 'waiting'],
  queryFn: ({ signal }) => api(disputesApi.waiting, {}, { signal }),
  staleTime: MINUTE_MS,
  refetchInterval: 5 * MINUTE_MS,
  meta: { silent: true },
})

export type Decision = { action: 'return'; body: DisputeReturn } | { action: 'refuse'; answer: string }

/** Errors are shown in the dialog. On a conflict the refetch shows the other admin's decision. */
export function useDecide(id: string) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: [DISPUTES] })
  return useMutation({
    meta: { silent: true },
    mutationFn: (decision: Decision): Promise<DisputeDetails> =>
      decision.action === 'return'
        ? api(disputesApi.giveBack, { params: { id }, body: decision.body })
        : api(disputesApi.refuse, { params: { id }, body: { answer: decision.answer } }),
    onSuccess: (dispute) => {
      client.setQueryData(disputeQuery(id).queryKey, dispute)
      return refresh()
    },
    onError: (error) => (error instanceof ApiError && error.status === 409 ? refresh() : undefined),
  })
}
