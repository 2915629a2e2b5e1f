import { infiniteQueryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ImportRow, importsApi } from '#contract/imports.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { subscribe } from '#web/lib/realtime.ts'

const IMPORTS = 'imports'
const POLL_MS = 1000

export const isRunning = ({ status }: ImportRow) => status === 'queued' || status === 'working'

export const importsQuery = callQuery(
  [IMPORTS, 'list'],
  importsApi.list,
  {},
  {
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? POLL_MS : false),
  },
)

export const importQuery = (id: string) => callQuery([IMPORTS, 'one', id], importsApi.get, { params: { id } })

export const reportQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [IMPORTS, 'report', id],
    queryFn: ({ pageParam, signal }) =>
      apiPage(importsApi.items, { params: { id }, query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { silent: true },
  })

export const refreshImports = (client: QueryClient) => client.invalidateQueries({ queryKey: [IMPORTS] })

/** Refreshes when an import changes on another device. */
export function useImportEvents(): void {
  const client = useQueryClient()
  useEffect(() => subscribe(IMPORTS, () => void refreshImports(client)), [client])
}

function useImportCall<Options = void>(call: (options: Options) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: call, onSettled: () => refreshImports(client) })
}

export const useStart = (id: string) => useImportCall(() => api(importsApi.start, { params: { id } }))
export const useUndo = (id: string) =>
  useImportCall((continued: boolean) => api(importsApi.undo, { params: { id }, body: { continued } }))
export const useRemove = (id: string) => useImportCall(() => api(importsApi.delete, { params: { id } }))
