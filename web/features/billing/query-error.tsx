import { formErrorsIn } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

interface ErrorNoteProps {
  text: string | undefined
  onRetry?: () => void
}

/** A failure where it happened. */
export function ErrorNote({ text, onRetry }: ErrorNoteProps) {
  if (!text) return null
  return (
    <Callout
      tone="danger"
      action={
        onRetry && (
          <Button size="sm" onClick={onRetry}>
            Повторить
          </Button>
        )
      }
    >
      {text}
    </Callout>
  )
}

interface QueryErrorProps {
  query: { error: Error | null; refetch: () => unknown }
}

export function QueryError({ query }: QueryErrorProps) {
  return <ErrorNote text={formErrorsIn(query).form} onRetry={() => void query.refetch()} />
}
