import { formErrorsOf } from '#web/lib/form-errors.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './callout.tsx'

interface QueryErrorProps {
  query: { error: Error | null; refetch: () => unknown }
  title?: string
}

/** A failed query, with a button that repeats it. */
export function QueryError({ query, title }: QueryErrorProps) {
  return (
    <ErrorNote
      text={formErrorsOf(query.error).form}
      title={title}
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Повторить
        </Button>
      }
    />
  )
}
