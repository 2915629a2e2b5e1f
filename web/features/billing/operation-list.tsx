import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isFiltered, type OperationFilter } from './operation-filter.ts'
import { OperationRow } from './operation-row.tsx'
import { operationsQuery } from './queries.ts'
import { QueryError } from './query-error.tsx'

export function OperationList({ filter }: { filter: OperationFilter }) {
  const operations = useInfiniteQuery(operationsQuery(filter))
  if (!operations.data) return operations.isError ? <QueryError query={operations} /> : <Skeleton className="h-48" />

  const rows = operations.data.pages.flatMap(({ items }) => items)
  if (rows.length === 0)
    return (
      <p className="text-muted">
        {isFiltered(filter)
          ? 'Таких операций нет. Попробуйте другой период.'
          : 'Операций пока нет: они появятся, как только вы напишете в чат или пополните баланс.'}
      </p>
    )
  return (
    <div className="flex flex-col gap-4" aria-busy={operations.isPlaceholderData || undefined}>
      <ul className="rounded-md border bg-surface">
        {rows.map((operation) => (
          <OperationRow key={operation.id} operation={operation} />
        ))}
      </ul>
      {operations.isError && <QueryError query={operations} />}
      {operations.hasNextPage && (
        <Button
          className="self-center"
          busy={operations.isFetchingNextPage}
          onClick={() => void operations.fetchNextPage()}
        >
          Показать ещё
        </Button>
      )}
    </div>
  )
}
