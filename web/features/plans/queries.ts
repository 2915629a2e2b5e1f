import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type BundleChange,
  type BundleDraft,
  bundlesApi,
  type Plan,
  type PlanChange,
  type PlanDraft,
  plansApi,
  type TokenBundle,
} from '#contract/plans.ts'
import { api } from '#web/lib/api.ts'
import { sortByIds, useListMutation, withChange } from '#web/lib/cached-list.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { notify } from '#web/lib/notify.ts'
import { undoable } from '#web/lib/undoable.ts'

/** All plans for the admin, including archived ones. Users get their own list of plans on sale. */

export const allPlansQuery = callQuery(['plans', 'all'], plansApi.list, {})

/** The plan used when a user subscribes without choosing one. */
export function defaultPlan(plans: readonly Plan[]): Plan | null {
  return plans.find(({ active }) => active) ?? null
}

export function useReorderPlans() {
  return useListMutation<Plan, string[]>({
    queryKey: allPlansQuery.queryKey,
    apply: sortByIds,
    send: (ids) => api(plansApi.reorder, { body: { ids } }),
  })
}

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

/** All bundles for the admin, including archived ones. Users get their own list of bundles on sale. */

export const allBundlesQuery = callQuery(['bundles', 'all'], bundlesApi.list, {})

export function useReorderBundles() {
  return useListMutation<TokenBundle, string[]>({
    queryKey: allBundlesQuery.queryKey,
    apply: sortByIds,
    send: (ids) => api(bundlesApi.reorder, { body: { ids } }),
  })
}

export function useSetBundleActive() {
  const { mutate } = useListMutation<TokenBundle, Pick<TokenBundle, 'id' | 'active'>>({
    queryKey: allBundlesQuery.queryKey,
    apply: (bundles, { id, active }) => withChange(bundles, id, { active }),
    send: ({ id, active }) => api(bundlesApi.update, { params: { id }, body: { active } }),
  })
  return ({ id, name }: TokenBundle, active: boolean) =>
    mutate(
      { id, active },
      {
        onSuccess: () =>
          notify.success({
            id: `bundle:${id}`,
            title: active ? `Пакет «${name}» снова в продаже` : `Пакет «${name}» в архиве`,
            action: { label: 'Отменить', onClick: () => mutate({ id, active: !active }) },
          }),
      },
    )
}

/** Deletes after an undo toast: this cannot be restored. */
export function useDeleteBundle() {
  const client = useQueryClient()
  return ({ id, name }: TokenBundle) =>
    undoable({
      id,
      title: `Пакет «${name}» удалён`,
      failed: `Не удалось удалить пакет «${name}»`,
      action: async () => {
        await api(bundlesApi.delete, { params: { id } })
        await client.invalidateQueries({ queryKey: ['bundles'] })
      },
    })
}

/** For the form: errors are shown there. */
export function useSaveBundle() {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: (change: { id: string; body: BundleChange } | { id: null; body: BundleDraft }) =>
      change.id === null
        ? api(bundlesApi.create, { body: change.body })
        : api(bundlesApi.update, { params: { id: change.id }, body: change.body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['bundles'] }),
  })
}
