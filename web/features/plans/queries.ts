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
import { useReorder, useSetFlag, withChange } from '#web/lib/cached-list.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { undoable } from '#web/lib/undoable.ts'

/** All plans for the admin, including archived ones. Users get their own list of plans on sale. */

export const allPlansQuery = callQuery(['plans', 'all'], plansApi.list, {})

/** The plan used when a user subscribes without choosing one. */
export function defaultPlan(plans: readonly Plan[]): Plan | null {
  return plans.find(({ active }) => active) ?? null
}

export const useReorderPlans = () =>
  useReorder(allPlansQuery.queryKey, (ids) => api(plansApi.reorder, { body: { ids } }))

export const useSetPlanActive = () =>
  useSetFlag({
    queryKey: allPlansQuery.queryKey,
    name: 'active',
    send: (id, body) => api(plansApi.update, { params: { id }, body }),
    label: (name, isActive) => (isActive ? `Тариф «${name}» снова в продаже` : `Тариф «${name}» в архиве`),
  })

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

export const useReorderBundles = () =>
  useReorder(allBundlesQuery.queryKey, (ids) => api(bundlesApi.reorder, { body: { ids } }))

export const useSetBundleActive = () =>
  useSetFlag({
    queryKey: allBundlesQuery.queryKey,
    name: 'active',
    send: (id, body) => api(bundlesApi.update, { params: { id }, body }),
    label: (name, isActive) => (isActive ? `Пакет «${name}» снова в продаже` : `Пакет «${name}» в архиве`),
  })

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
