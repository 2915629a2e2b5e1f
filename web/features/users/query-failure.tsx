import { faultIn } from '#web/features/auth/queries.ts'
import { FailureNote } from './failure-note.tsx'

interface QueryFailureProps {
  query: { error: Error | null; refetch: () => unknown }
}

export function QueryFailure({ query }: QueryFailureProps) {
  return <FailureNote fault={faultIn(query)} onRetry={() => void query.refetch()} />
}
