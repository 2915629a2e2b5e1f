import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { QueryError } from '#web/ui/query-error.tsx'

interface TableStateProps {
  query: { error: Error | null; data: unknown; refetch: () => unknown }
  isEmpty: boolean
  empty: ReactNode
  children: ReactNode
}

/** Shows the error or the empty state instead of the table. */
export function TableState({ query, isEmpty, empty, children }: TableStateProps) {
  if (query.error && query.data === undefined) return <QueryError title="Список не загрузился" query={query} />
  return isEmpty ? empty : children
}

/** For a list with rows, none of which match the filter. */
export function NothingFound({ onReset }: { onReset: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-md border border-dashed px-4 py-12 text-center">
      <p className="text-muted">Под эти условия ничего не подошло.</p>
      <Button size="sm" onClick={onReset}>
        Показать все
      </Button>
    </div>
  )
}
