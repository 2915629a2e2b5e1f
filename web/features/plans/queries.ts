import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Plan, type PlanChange, type PlanDraft, plansApi } from '#contract/plans.ts'
import { api } from '#web/lib/api.ts'
import { inOrder, useListMutation, withChange } from '#web/lib/cached-list.ts'
import { notify } from '#web/lib/notify.ts'

/** All plans for the admin, including archived ones. Users get their own list of plans on sale. */

export const allPlansQuery = queryOptions({
  queryKey: ['plans', 'all'],
  queryFn: ({ signal }) => api(plansApi.list, {}, { signal }),
  meta: { silent: true },
})

/** The plan used when a user subscribes without choosing one. */
export function defaultPlan(plans: readonly Plan[]): Plan | null {
  return plans.find(({ active }) => active) ?? null
}

export function useReorderPlans() {
  return useListMutation<Plan, string[]>({
    queryKey: allPlansQuery.queryKey,
    apply: inOrder,
    send: (ids) => api(plansApi.reorder, { body: { ids } }),
  })
}

/** Archives a plan or puts it on sale again. */
export function useSetPlanActive() {
  const { mutate } = useListMutation<Plan, Pick<Plan, 'id' | 'active'>>({
    queryKey: allPlansQuery.queryKey,
    apply: (plans, { id, active }) => withChange(plans, id, { active }),
    send: ({ id, active }) => api(plansApi.update, { params: { id }, body: { active } }),
  })
  return ({ id, name }: Plan, active: boolean) =>
    mutate(
      { id, active },
      {
        onSuccess: () =>
          notify.success({
            id: `plan:${id}`,
            title: active ? `Тариф «${name}» снова в продаже` : `Тариф «${name}» в архиве`,
            action: { label: 'Отменить', onClick: () => mutate({ id, active: !active }) },
          }),
      },
    )
}

/** For forms: errors are shown there. */
export function useCreatePlan() {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: (body: PlanDraft) => api(plansApi.create, { body }),
    onSuccess: (plan) => {
      client.setQueryData(allPlansQuery.queryKey, (plans) => plans && [...plans, plan])
      return client.invalidateQueries({ queryKey: ['plans'] })
    },
  })
}

export function useChangePlan() {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: ({ id, body }: { id: string; body: PlanChange }) => api(plansApi.update, { params: { id }, body }),
    onSuccess: (plan) => {
      client.setQueryData(allPlansQuery.queryKey, (plans) => plans && withChange(plans, plan.id, plan))
      return client.invalidateQueries({ queryKey: ['plans'] })
    },
  })
}
