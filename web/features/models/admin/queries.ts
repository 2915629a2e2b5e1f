import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { healthApi } from '#contract/health.ts'
import type { AdminModel, Model } from '#contract/models.ts'
import {
  type ListedProvider,
  type ModelChange,
  type ModelDraft,
  modelsAdminApi,
  type Provider,
} from '#contract/models-admin.ts'
import { ratingsApi } from '#contract/ratings.ts'
import { api } from '#web/lib/api.ts'
import { useReorder, useSetFlag } from '#web/lib/cached-list.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { undoable } from '#web/lib/undoable.ts'
import { modelsQuery } from '../queries.ts'

/** Admin queries of models. Separate from `queries.ts`, which every chat loads. */

const OFFER_MS = 10 * 60_000

/** The same list as for users; for administrators it has more fields. */
export const allModelsQuery = queryOptions({
  ...modelsQuery,
  select: (models) => models.filter(isAdminModel),
  staleTime: 0,
  meta: { silent: true },
})

function isAdminModel(model: AdminModel | Model): model is AdminModel {
  return 'provider' in model
}

export const providersQuery = {
  ...callQuery(['providers'], modelsAdminApi.providers, {}, { staleTime: OFFER_MS }),
  select: (listed: ListedProvider[]) => listed.map(wholeProvider),
}

const wholeProvider = ({ newKind, newModelKinds, ...provider }: ListedProvider): Provider => ({
  ...provider,
  kind: newKind ?? provider.kind,
  modelKinds: [...provider.modelKinds, ...(newModelKinds ?? [])],
})

/** Programs that the server needs and does not have. */
export const missingProgramsQuery = {
  ...callQuery(['ready'], healthApi.ready, {}, { staleTime: OFFER_MS }),
  select: ({ missing }: { missing: string[] }) => missing ?? [],
}

export const offerQuery = (name: string) =>
  callQuery(['providers', name, 'offer'], modelsAdminApi.offer, { params: { name } }, { staleTime: OFFER_MS })

export const ratingsQuery = (id: string) =>
  callQuery(['models', id, 'ratings'], ratingsApi.ofModel, { params: { id } }, { staleTime: 0 })

/** Shutdown dates of models, as far as the providers in use announce them. */
export function useShutdownDates(providers: string[]): (model: AdminModel) => string | null {
  const offers = useQueries({ queries: providers.map(offerQuery) })
  return ({ provider, providerModel }) => {
    const offer = offers[providers.indexOf(provider)]?.data
    return offer?.find(({ id }) => id === providerModel)?.shutdownDate ?? null
  }
}

export const useReorderModels = () =>
  useReorder(modelsQuery.queryKey, (ids) => api(modelsAdminApi.reorder, { body: { ids } }))

export const useSetModelHidden = () =>
  useSetFlag({
    queryKey: modelsQuery.queryKey,
    name: 'hidden',
    send: (id, body) => api(modelsAdminApi.update, { params: { id }, body }),
    label: (name, isHidden) => (isHidden ? `Модель «${name}» скрыта` : `Модель «${name}» снова видна`),
  })

/** Permanent, so it runs after the undo toast. */
export function useDeleteModel() {
  const client = useQueryClient()
  return ({ id, name }: AdminModel) =>
    undoable({
      id,
      title: `Модель «${name}» удалена`,
      failed: `Не удалось удалить модель «${name}»`,
      action: async () => {
        await api(modelsAdminApi.delete, { params: { id } })
        await client.invalidateQueries({ queryKey: modelsQuery.queryKey })
      },
    })
}

/** For forms, which show the error. */
export function useSaveModel() {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: (change: { id: string; body: ModelChange } | { id: null; body: ModelDraft }) =>
      change.id === null
        ? api(modelsAdminApi.create, { body: change.body })
        : api(modelsAdminApi.update, { params: { id: change.id }, body: change.body }),
    onSuccess: () => client.invalidateQueries({ queryKey: modelsQuery.queryKey }),
  })
}

/** Sends a real question; the caller shows the error. */
export function useCheckModel() {
  return useMutation({
    meta: { silent: true },
    mutationFn: ({ provider, providerModel }: Pick<AdminModel, 'provider' | 'providerModel'>) =>
      api(modelsAdminApi.check, { params: { name: provider }, body: { providerModel } }),
  })
}
