import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { type DisputeDetails, type DisputeQuery, type DisputeReturn, disputesApi } from '#contract/disputes.ts'
import { ApiError } from '#contract/errors.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'

const DISPUTES = 'disputes'

export const disputeListQuery = (query: DisputeQuery) =>
  callQuery([DISPUTES, 'list', query], disputesApi.list, { query }, { placeholderData: keepPreviousData })

export const disputeQuery = (id: string) => callQuery([DISPUTES, 'one', id], disputesApi.get, { params: { id } })

const MINUTE_MS = 60_000

/** Polled, because new disputes arrive while the page is open. */
export const waitingQuery = callQuery(
  [DISPUTES, 'waiting'],
  disputesApi.waiting,
  {},
  { staleTime: MINUTE_MS, refetchInterval: 5 * MINUTE_MS },
)

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
