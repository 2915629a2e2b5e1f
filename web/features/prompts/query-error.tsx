import { formErrorsIn } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

export function ErrorNote({ text }: { text: string | undefined }) {
  return text ? <Callout tone="danger">{text}</Callout> : null
}

interface QueryErrorProps {
  query: { error: Error | null; refetch: () => unknown }
}

/** A failure where it happened, with the way on. */
export function QueryError({ query }: QueryErrorProps) {
  return (
    <Callout
      tone="danger"
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Повторить
        </Button>
      }
    >
      {formErrorsIn(query).form}
    </Callout>
  )
}
