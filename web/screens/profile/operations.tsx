import { useSearchParams } from 'wouter'
import { readFilter, writeFilter } from '#web/features/billing/operation-filter.ts'
import { OperationFilterBar, OperationList } from '#web/features/billing/operation-list.tsx'

/** The filter lives in the address, so that a narrowed list can be kept and shared. */
export function Operations() {
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  return (
    <div className="flex flex-col gap-4">
      <OperationFilterBar
        filter={filter}
        onChange={(next) => setParams(writeFilter(params, next), { replace: true })}
      />
      <OperationList filter={filter} />
    </div>
  )
}
