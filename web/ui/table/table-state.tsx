import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

interface TableStateProps {
  query: { error: Error | null; data: unknown; refetch: () => unknown }
  isEmpty: boolean
  /** What to say and do next when there is no row. */
  empty: ReactNode
  children: ReactNode
}

/** A list that failed says so in its place; one without rows says what to do next. */
export function TableState({ query, isEmpty, empty, children }: TableStateProps) {
  if (query.error && query.data === undefined)
    return (
      <Callout
        tone="danger"
        title="Список не загрузился"
        action={
          <Button size="sm" onClick={() => void query.refetch()}>
            Повторить
          </Button>
        }
      >
        {query.error.message}
      </Callout>
    )
  return isEmpty ? empty : children
}
