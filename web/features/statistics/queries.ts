import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { statisticsApi } from '#contract/statistics.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { notify } from '#web/lib/notify.ts'

const STATISTICS = 'statistics'
/** Refetched while the page is open. */
const REFRESH_MS = 5 * 60_000

export const statisticsQuery = (days: { from: string; to: string }) =>
  callQuery(
    [STATISTICS, days],
    statisticsApi.get,
    { query: days },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  )

export function useReconcile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api(statisticsApi.reconcile, {}),
    onSuccess: ({ ok, problems }) => {
      if (ok) notify.success({ id: 'reconcile', title: 'Учёт сходится до символа' })
      else {
        const count = problems.length
        const title = `Учёт не сходится: ${formatNumber(count)} ${plural(count, 'нарушение', 'нарушения', 'нарушений')}`
        notify.error({ id: 'reconcile', title })
      }
      return client.invalidateQueries({ queryKey: [STATISTICS] })
    },
  })
}
