import { useQuery } from '@tanstack/react-query'
import { PlanForm } from '#web/features/plans/plan-form.tsx'
import { allPlansQuery } from '#web/features/plans/queries.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'

/** Edits a plan; without an id, adds one. */
export default function PlanScreen({ params: { id } }: { params: Record<string, string> }) {
  const plans = useQuery(allPlansQuery)
  if (!plans.data) return <FormLoading query={plans} />
  const plan = plans.data.find((each) => each.id === id) ?? null
  if (id !== undefined && !plan)
    return <ItemNotFound title="Такого тарифа нет" back={{ label: 'К списку тарифов', href: adminPaths.plans() }} />
  const currency = plans.data[0]?.currency ?? 'BYN'
  return <PlanForm key={id ?? 'new'} plan={plan} position={plans.data.length} currency={currency} />
}
