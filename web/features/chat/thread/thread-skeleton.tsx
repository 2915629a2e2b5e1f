import { Skeleton } from '#web/ui/skeleton.tsx'

/** An exchange or two, where they will stand. */
export function ThreadSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-6 px-4 py-6">
      <Exchange />
      <Exchange />
    </div>
  )
}

function Exchange() {
  return (
    <>
      <Skeleton className="ml-auto h-12 w-2/5 rounded-lg" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-10/12" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </>
  )
}
