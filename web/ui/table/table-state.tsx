import type { ReactNode } from 'react'
import { NotLoaded } from '#web/ui/not-loaded.tsx'

interface TableStateProps {
  query: { error: Error | null; data: unknown; refetch: () => unknown }
  isEmpty: boolean
  /** Shown when there are no rows. */
  empty: ReactNode
  children: ReactNode
}

/** Shows the error or the empty state instead of the table. */
export function TableState({ query, isEmpty, empty, children }: TableStateProps) {
  if (query.error && query.data === undefined) return <NotLoaded title="Список не загрузился" query={query} />
  return isEmpty ? empty : children
}
