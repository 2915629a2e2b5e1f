import { formErrorsIn } from '#web/features/auth/queries.ts'
import { QueryErrorNote } from './query-error-note.tsx'

interface QueryErrorProps {
  query: { error: Error | null; refetch: () => unknown }
}

export function QueryError({ query }: QueryErrorProps) {
  return <QueryErrorNote errors={formErrorsIn(query)} onRetry={() => void query.refetch()} />
}
