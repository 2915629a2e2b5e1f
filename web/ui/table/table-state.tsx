import type { ReactNode } from 'react'
import { NotLoaded } from '#web/ui/not-loaded.tsx'

interface TableStateProps {
  query: { error: Error | null; data: unknown; refetch: () => unknown }
  isEmpty: boolean
  /** What to say and do next when there is no row. */
  empty: ReactNode
  children: ReactNode
}

/** A list that failed says so in its place; one without rows says what to do next. */
export function TableState({ query, isEmpty, empty, children }: TableStateProps) {
  if (query.error && query.data === undefined) return <NotLoaded title="Список не загрузился" query={query} />
  return isEmpty ? empty : children
}
