import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type BulkAct,
  type BulkResult,
  type DeskPrompt,
  type ImportFile,
  MAX_BULK,
  promptDeskApi,
} from '#contract/prompt-desk.ts'
import { useFormCall } from '#web/features/auth/queries.ts'
import { api } from '#web/lib/api.ts'
import { PROMPTS, refreshPrompts } from '../queries.ts'
import { type DeskFilter, wireDesk } from './desk-filter.ts'
import { type Move, moved } from './reorder.ts'

export const deskQuery = (filter: DeskFilter) =>
  queryOptions({
    queryKey: [PROMPTS, 'desk', wireDesk(filter)],
    queryFn: ({ signal }) => api(promptDeskApi.table, { query: wireDesk(filter) }, { signal }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })

/** More than go at once are sent in parts, one after another. */
export function useBulk() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (act: BulkAct): Promise<BulkResult> => {
      const changed: BulkResult['changed'] = []
      for (let from = 0; from < act.ids.length; from += MAX_BULK) {
        const body = { ...act, ids: act.ids.slice(from, from + MAX_BULK) }
        changed.push(...(await api(promptDeskApi.bulk, { body })).changed)
      }
      return { changed }
    },
    onSettled: () => refreshPrompts(client),
  })
}

/** Shown at once, put back when refused. Moves go one after another. */
export function useMove(filter: DeskFilter) {
  const client = useQueryClient()
  const { queryKey } = deskQuery(filter)
  return useMutation({
    scope: { id: 'prompt-order' },
    mutationFn: ({ id, anchorId, place }: Move) =>
      api(promptDeskApi.move, { params: { id }, body: { anchorId, place } }),
    onMutate: async (move) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (table) => table && { ...table, items: moved<DeskPrompt>(table.items, move) })
    },
    onSettled: () => refreshPrompts(client),
  })
}

export function usePreviewImport() {
  return useFormCall((body: ImportFile) => api(promptDeskApi.preview, { body }))
}

export function useApplyImport() {
  return useFormCall((body: ImportFile & { hash: string }) => api(promptDeskApi.import, { body }), refreshPrompts)
}
