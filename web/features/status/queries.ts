import { useMutation, useQueryClient } from '@tanstack/react-query'
import { statisticsApi } from '#contract/statistics.ts'
import { type Status, type StatusPart, statusApi } from '#contract/status.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'

/** Only while the page is visible. */
const REFRESH_MS = 15_000

export const statusQuery = callQuery(['status'], statusApi.get, {}, { refetchInterval: REFRESH_MS })
/** A step is done in another tab or on the server: the list asks again when one comes back to it. */
export const setupQuery = callQuery(['setup'], statusApi.setup, {}, { staleTime: 0, refetchOnWindowFocus: true })

/** The server remembers its state for seconds, so the result is shown at once. */
export function useCheckLedger() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api(statisticsApi.reconcile, {}),
    onSuccess: ({ ok, problems }) => {
      const ledger: Partial<StatusPart> = {
        ...{ state: ok ? 'ok' : 'down', lack: null, since: null },
        ...{ count: ok ? null : problems.length, at: new Date().toISOString() },
      }
      client.setQueryData(statusQuery.queryKey, (status: Status | undefined) => {
        const parts = status?.parts.map((part) => (part.name === 'ledger' ? { ...part, ...ledger } : part))
        return status && parts && { ...status, parts }
      })
    },
  })
}
