import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { explainOperation, operationName } from '#web/features/billing/operation-labels.ts'
import { DisputeCard } from '#web/features/disputes/dispute-card.tsx'
import { disputeQuery } from '#web/features/disputes/queries.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'

export default function DisputeScreen({ params: { id = '' } }: { params: Record<string, string> }) {
  const dispute = useQuery(disputeQuery(id))
  const isUnknown = dispute.error instanceof ApiError && dispute.error.status === 404
  if (isUnknown)
    return <ItemNotFound title="Такого обращения нет" back={{ label: 'К списку', href: adminPaths.disputes() }} />
  if (!dispute.data) return <FormLoading query={dispute} />
  const { entry } = dispute.data
  return (
    <DisputeCard dispute={dispute.data} charge={{ name: operationName(entry.kind), total: explainOperation(entry) }} />
  )
}
