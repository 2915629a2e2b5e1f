import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#web/lib/format.ts'
import { waitingQuery } from './queries.ts'

/** The number of open disputes in the menu; hidden at zero. */
export function WaitingDisputes() {
  const { data } = useQuery(waitingQuery)
  if (!data || data.count === 0) return null
  return (
    <span className="figures ml-auto rounded-full bg-warning-soft px-2 text-[13px] text-warning">
      {formatNumber(data.count)}
      <span className="sr-only"> ждут решения</span>
    </span>
  )
}
