import { faultIn } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

interface FailureProps {
  text: string | undefined
  onRetry?: () => void
}

/** A failure where it happened. */
export function Failure({ text, onRetry }: FailureProps) {
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

interface QueryFailureProps {
  query: { error: Error | null; refetch: () => unknown }
}

export function QueryFailure({ query }: QueryFailureProps) {
  return <Failure text={faultIn(query).form} onRetry={() => void query.refetch()} />
}
