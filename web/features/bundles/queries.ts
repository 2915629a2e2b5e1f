import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type BundleChange, type BundleDraft, bundlesApi, type TokenBundle } from '#contract/plans.ts'
import { api } from '#web/lib/api.ts'
import { inOrder, useListMutation, withChange } from '#web/lib/cached-list.ts'
import { notify } from '#web/lib/notify.ts'
import { undoable } from '#web/lib/undoable.ts'

/** All bundles for the admin, including archived ones. Users get their own list of bundles on sale. */

export const allBundlesQuery = queryOptions({
  queryKey: ['bundles', 'all'],
  queryFn: ({ signal }) => api(bundlesApi.list, {}, { signal }),
  meta: { silent: true },
})

export function useReorderBundles() {
  return useListMutation<TokenBundle, string[]>({
    queryKey: allBundlesQuery.queryKey,
    apply: inOrder,
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
