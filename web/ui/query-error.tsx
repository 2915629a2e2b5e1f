import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './callout.tsx'

interface QueryErrorProps {
  query: { error: Error | null; refetch: () => unknown }
  title?: string
}

export function QueryError({ query, title }: QueryErrorProps) {
  return (
    <ErrorNote
      text={query.error ? callErrorText(query.error) : undefined}
      title={title}
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Повторить
        </Button>
      }
    />
  )
}
