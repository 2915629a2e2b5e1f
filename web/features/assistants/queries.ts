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

/** All of one's assistants: at most fifty, so one list serves every screen. Failures are shown in place. */
export const assistantsQuery = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => api(assistantsApi.list, {}, { signal }),
  meta: { silent: true },
})

const { queryKey } = assistantsQuery

/** One of them; null when it is gone or never was. */
export const assistantQuery = (id: string) =>
  queryOptions({ ...assistantsQuery, select: (all: Assistant[]) => all.find((one) => one.id === id) ?? null })

/** Other windows change assistants, and the server reads their files. */
export function useAssistantNews(): void {
  const client = useQueryClient()
  useEffect(() => subscribe('assistants', () => void client.invalidateQueries({ queryKey })), [client])
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

/** Puts a file where it belongs in what is known of its assistant. */
export function keepFile(client: QueryClient, assistantId: string, file: AssistantFile): void {
  changeFiles(client, assistantId, (files) =>
    files.some(({ id }) => id === file.id) ? files.map((one) => (one.id === file.id ? file : one)) : [...files, file],
  )
}

export async function removeFile(client: QueryClient, assistantId: string, fileId: string): Promise<void> {
  await api(assistantsApi.removeFile, { params: { id: assistantId, fileId } })
  changeFiles(client, assistantId, (files) => files.filter(({ id }) => id !== fileId))
}

export async function retryFile(client: QueryClient, assistantId: string, fileId: string): Promise<void> {
  keepFile(client, assistantId, await api(assistantsApi.retryFile, { params: { id: assistantId, fileId } }))
}

function changeFiles(client: QueryClient, id: string, next: (files: AssistantFile[]) => AssistantFile[]): void {
  client.setQueryData(queryKey, (all) => all?.map((one) => (one.id === id ? { ...one, files: next(one.files) } : one)))
}
