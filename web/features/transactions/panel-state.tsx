import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading or failed state of a side panel. */
export function PanelState({ query }: { query: { error: Error | null; refetch: () => unknown } }) {
  if (!query.error)
    return (
      <div aria-busy="true" className="flex flex-col gap-4">
        <Skeleton className="h-9 w-1/3" />
        <Skeleton className="h-40" />
        <Skeleton className="h-28" />
      </div>
    )
  return <QueryError title="Не загрузилось" query={query} />
}
