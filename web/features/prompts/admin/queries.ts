import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AdminPrompt,
  type BulkAction,
  type BulkResult,
  type ImportFile,
  MAX_BULK_PROMPTS,
  promptsAdminApi,
} from '#contract/prompts-admin.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { filled } from '#web/lib/url-state.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { PROMPTS, refreshPrompts } from '../queries.ts'
import { type Move, withMove } from './reorder.ts'
import type { PromptTableFilter } from './table-filter.ts'

export const promptTableQuery = (filter: PromptTableFilter) =>
  callQuery(
    [PROMPTS, 'admin', filter],
    promptsAdminApi.table,
    { query: filled(filter) },
    { placeholderData: keepPreviousData },
  )

/** More ids than one request allows are sent in several requests, one after another. */
export function useBulk() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (action: BulkAction): Promise<BulkResult> => {
      const changed: BulkResult['changed'] = []
      for (let from = 0; from < action.ids.length; from += MAX_BULK_PROMPTS) {
        const body = { ...action, ids: action.ids.slice(from, from + MAX_BULK_PROMPTS) }
        changed.push(...(await api(promptsAdminApi.bulk, { body })).changed)
      }
      return { changed }
    },
    onSettled: () => refreshPrompts(client),
  })
}

/** Optimistic; the refetch restores the order on error. Moves run one after another. */
export function useMove(filter: PromptTableFilter) {
  const client = useQueryClient()
  const { queryKey } = promptTableQuery(filter)
  return useMutation({
    scope: { id: 'prompt-order' },
    mutationFn: ({ id, anchorId, side }: Move) =>
      api(promptsAdminApi.move, { params: { id }, body: { anchorId, side } }),
    onMutate: async (move) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (table) => table && { ...table, items: withMove<AdminPrompt>(table.items, move) })
    },
    onSettled: () => refreshPrompts(client),
  })
}

export function usePreviewImport() {
  return useFormCall((body: ImportFile) => api(promptsAdminApi.preview, { body }))
}

export function useApplyImport() {
  return useFormCall((body: ImportFile & { hash: string }) => api(promptsAdminApi.import, { body }), refreshPrompts)
}
