import { faultIn } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

export function Failure({ text }: { text: string | undefined }) {
  return text ? <Callout tone="danger">{text}</Callout> : null
}

interface QueryFailureProps {
  query: { error: Error | null; refetch: () => unknown }
}

/** A failure where it happened, with the way on. */
export function QueryFailure({ query }: QueryFailureProps) {
  return (
    <Callout
      tone="danger"
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Повторить
        </Button>
      }
    >
      {faultIn(query).form}
    </Callout>
  )
}
