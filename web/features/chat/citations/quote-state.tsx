import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shown until the quoted text is loaded. */
export function QuoteState({ query }: { query: { error: Error | null; refetch: () => unknown } }) {
  if (query.error) return <QueryError query={query} />
  return (
    <div aria-busy="true" className="flex flex-col gap-2.5">
      <Skeleton className="h-5" />
      <Skeleton className="h-5" />
      <Skeleton className="h-5 w-2/3" />
    </div>
  )
}
