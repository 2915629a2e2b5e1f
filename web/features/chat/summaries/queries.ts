import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Summary, summariesApi } from '#contract/summaries.ts'
import { cacheBalance } from '#web/features/billing/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { api } from '#web/lib/api.ts'
import { newId } from '#web/lib/new-id.ts'
import { maySpend } from '#web/lib/spend-rule.ts'
import { threadKey } from '../state/thread-data.ts'

interface SummaryRequest {
  /** The summary that is replaced. */
  instead?: string
  /** The highest price that the button named. */
  most: number
}

function useMakeSummary(threadId: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `summary:${threadId}` },
    mutationFn: (wanted: SummaryRequest) =>
      api(summariesApi.make, { params: { id: threadId }, body: { id: newId(), ...wanted } }),
    onSuccess: ({ summary, SingleSubscription }, { instead }) => {
      void cacheBalance(client, { SingleSubscription })
      change(client, threadId, (all) => [summary, ...all.filter(({ id }) => id !== instead && id !== summary.id)])
    },
    onSettled: () => client.invalidateQueries({ queryKey: threadKey(threadId), exact: true }),
  })
}

/** A large price is confirmed first. */
export function useBuySummary(threadId: string) {
  const make = useMakeSummary(threadId)
  const { data: profile } = useProfile()
  return {
    isPending: make.isPending,
    start: async (wanted: SummaryRequest) => {
      const spending = { what: 'Сжатие истории', action: 'Сжать', most: wanted.most }
      if (await maySpend(profile?.SingleSubscription, spending)) make.mutate(wanted)
    },
  }
}

export function useEditSummary(threadId: string, summaryId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => api(summariesApi.edit, { params: { id: threadId, summaryId }, body: { text } }),
    onSuccess: (summary) =>
      change(client, threadId, (all) => all.map((known) => (known.id === summary.id ? summary : known))),
  })
}

export function useRemoveSummary(threadId: string, summaryId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api(summariesApi.remove, { params: { id: threadId, summaryId } }),
    onSuccess: () => {
      change(client, threadId, (all) => all.filter(({ id }) => id !== summaryId))
      return client.invalidateQueries({ queryKey: threadKey(threadId), exact: true })
    },
  })
}

function change(client: QueryClient, threadId: string, next: (all: Summary[]) => Summary[]): void {
  client.setQueryData(threadKey(threadId), (data) => data && { ...data, Summaries: next(data.Summaries ?? []) })
}
