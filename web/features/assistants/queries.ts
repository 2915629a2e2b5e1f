import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type Assistant,
  type AssistantChange,
  type AssistantDraft,
  type AssistantFile,
  assistantsApi,
} from '#contract/assistants.ts'
import { api } from '#web/lib/api.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { isUnderWay } from './file-labels.ts'

const POLL_MS = 5000

/** All of one's assistants: at most fifty, so one list serves every screen. Failures are shown in place. */
export const assistantsQuery = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => api(assistantsApi.list, {}, { signal }),
  // News may get lost; a file that is on its way must not look so for ever.
  refetchInterval: ({ state }) => (state.data?.some(({ files }) => files.some(isUnderWay)) ? POLL_MS : false),
  meta: { silent: true },
})

const { queryKey } = assistantsQuery

/** One of them; null when it is gone or never was. */
export const assistantQuery = (id: string) =>
  queryOptions({ ...assistantsQuery, select: (all: Assistant[]) => all.find((one) => one.id === id) ?? null })

/** Other windows change assistants, and the server reads their files. */
export function useAssistantEvents(): void {
  const client = useQueryClient()
  useEffect(() => {
    const look = () => void client.invalidateQueries({ queryKey })
    const unsubscribe = subscribe('assistants', look)
    // Between two screens nobody listened.
    if (client.getQueryData(queryKey)) look()
    return unsubscribe
  }, [client])
}

/** The newest state, where it is known; an assistant that is not comes first. */
function keep(client: QueryClient, assistant: Assistant): void {
  client.setQueryData(queryKey, (all) => {
    if (!all) return all
    const isKnown = all.some(({ id }) => id === assistant.id)
    return isKnown ? all.map((one) => (one.id === assistant.id ? assistant : one)) : [assistant, ...all]
  })
}

export async function createAssistant(client: QueryClient, body: AssistantDraft): Promise<Assistant> {
  const made = await api(assistantsApi.create, { body })
  keep(client, made)
  return made
}

export async function changeAssistant(client: QueryClient, id: string, body: AssistantChange): Promise<Assistant> {
  const changed = await api(assistantsApi.update, { params: { id }, body })
  keep(client, changed)
  return changed
}

export async function deleteAssistant(client: QueryClient, id: string): Promise<void> {
  await api(assistantsApi.delete, { params: { id } })
  client.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== id))
}

/** A file that has arrived. News of it may have come before this answer, so what is known stays, and is asked again. */
export function addFile(client: QueryClient, assistantId: string, file: AssistantFile): void {
  changeFiles(client, assistantId, (files) => (files.some(({ id }) => id === file.id) ? files : [...files, file]))
  void client.invalidateQueries({ queryKey })
}

export async function removeFile(client: QueryClient, assistantId: string, fileId: string): Promise<void> {
  await api(assistantsApi.removeFile, { params: { id: assistantId, fileId } })
  changeFiles(client, assistantId, (files) => files.filter(({ id }) => id !== fileId))
}

export async function retryFile(client: QueryClient, assistantId: string, fileId: string): Promise<void> {
  await api(assistantsApi.retryFile, { params: { id: assistantId, fileId } })
  await client.invalidateQueries({ queryKey })
}

/** Agrees to the price of a file: from then on it is found by meaning too. */
export async function payFile(client: QueryClient, assistantId: string, fileId: string): Promise<void> {
  await api(assistantsApi.payFile, { params: { id: assistantId, fileId } })
  await client.invalidateQueries({ queryKey })
}

/** How many symbols of files are still read free of charge this month. */
export const allowanceQuery = queryOptions({
  queryKey: ['assistants-allowance'],
  queryFn: ({ signal }) => api(assistantsApi.allowance, {}, { signal }),
  meta: { silent: true },
})

function changeFiles(client: QueryClient, id: string, next: (files: AssistantFile[]) => AssistantFile[]): void {
  client.setQueryData(queryKey, (all) => all?.map((one) => (one.id === id ? { ...one, files: next(one.files) } : one)))
}
