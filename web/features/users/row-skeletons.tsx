import { Skeleton } from '#web/ui/skeleton.tsx'

const names = ['a', 'b', 'c', 'd', 'e', 'f']

export function RowSkeletons({ count }: { count: number }) {
  return (
    <div className="flex flex-col gap-3">
      {names.slice(0, count).map((name) => (
        <Skeleton key={name} className="h-12" />
      ))}
    </div>
  )
}
