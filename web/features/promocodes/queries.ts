import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type PromoBatch,
  type PromoChange,
  type PromoCode,
  type PromoDraft,
  type PromoQuery,
  promocodesApi,
} from '#contract/promocodes.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { notify } from '#web/lib/notify.ts'
import { undoable } from '#web/lib/undoable.ts'

const PROMOCODES = 'promocodes'

export const promoListQuery = (query: PromoQuery) =>
  callQuery([PROMOCODES, 'list', query], promocodesApi.list, { query }, { placeholderData: keepPreviousData })

export const promoQuery = (id: string) => callQuery([PROMOCODES, 'one', id], promocodesApi.get, { params: { id } })

export const promoStatisticsQuery = (id: string) =>
  callQuery([PROMOCODES, 'statistics', id], promocodesApi.statistics, { params: { id } })

/** For forms: errors are shown there. The response is the only one that contains the codes. */
export function useCreatePromo() {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: async (body: PromoDraft | PromoBatch) =>
      'code' in body ? [await api(promocodesApi.create, { body })] : api(promocodesApi.createBatch, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: [PROMOCODES] }),
  })
}

export function useChangePromo() {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: ({ id, body }: { id: string; body: PromoChange }) =>
      api(promocodesApi.update, { params: { id }, body }),
    onSuccess: (promo) => {
      client.setQueryData(promoQuery(promo.id).queryKey, promo)
      return client.invalidateQueries({ queryKey: [PROMOCODES, 'list'] })
    },
  })
}

/** Switches codes on or off; undo affects only the codes that changed. */
export function useSetPromosActive() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (body: { ids: string[]; active: boolean }) => api(promocodesApi.setActive, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: [PROMOCODES] }),
  })
  return (promos: PromoCode[], active: boolean) =>
    mutate(
      { ids: promos.map(({ id }) => id), active },
      {
        onSuccess: (changed) => {
          const ids = changed.map(({ id }) => id)
          if (ids.length === 0) return
          const undo = { label: 'Отменить', onClick: () => mutate({ ids, active: !active }) }
          notify.success({ id: 'promocodes:active', title: switchedLabel(ids.length, active), action: undo })
        },
      },
    )
}

function switchedLabel(count: number, active: boolean): string {
  const done = active
    ? plural(count, 'Включён', 'Включены', 'Включено')
    : plural(count, 'Выключен', 'Выключены', 'Выключено')
  return `${done} ${formatNumber(count)} ${plural(count, 'промокод', 'промокода', 'промокодов')}`
}

/** Deletes after an undo toast: this cannot be restored. */
export function useDeletePromo() {
  const client = useQueryClient()
  return ({ id, hint }: PromoCode) =>
    undoable({
      id,
      title: `Промокод …${hint} выключен насовсем`,
      failed: `Не удалось выключить промокод …${hint}`,
      action: async () => {
        await api(promocodesApi.delete, { params: { id } })
        await client.invalidateQueries({ queryKey: [PROMOCODES] })
      },
    })
}
