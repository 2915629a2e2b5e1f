import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type Assistant,
  type AssistantChange,
  type AssistantDraft,
  type AssistantFile,
  assistantsApi,
} from '#contract/assistants.ts'
import type { projectsApi } from '#contract/projects.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { paths } from '#web/lib/paths.ts'
import { subscribe } from '#web/lib/realtime.ts'

const POLL_MS = 5000

export const isProcessing = ({ state }: Pick<AssistantFile, 'state'>) => state !== 'ready' && state !== 'failed'

/** All assistants of the user: at most fifty, so every screen uses this list. Errors are shown in place. */
export const assistantsQuery = callQuery(
  ['assistants'],
  assistantsApi.list,
  {},
  {
    // Polls while files are processed, because events may get lost.
    refetchInterval: ({ state }) => (state.data?.some(({ files }) => files.some(isProcessing)) ? POLL_MS : false),
  },
)

const { queryKey } = assistantsQuery

export const assistantQuery = (id: string) =>
  queryOptions({ ...assistantsQuery, select: (all: Assistant[]) => all.find((one) => one.id === id) ?? null })

/** Refreshes on changes in other tabs and progress of files. */
export function useAssistantEvents(): void {
  const client = useQueryClient()
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey })
    const unsubscribe = [subscribe('assistants', refresh), subscribe('files', refresh)]
    // Events between two screens were missed.
    if (client.getQueryData(queryKey)) refresh()
    return () => {
      for (const end of unsubscribe) end()
    }
  }, [client])
}

/** Updates an assistant in the cached list; a new one is put first. */
function cacheAssistant(client: QueryClient, assistant: Assistant): void {
  client.setQueryData(queryKey, (all) => {
    if (!all) return all
    const isKnown = all.some(({ id }) => id === assistant.id)
    return isKnown ? all.map((one) => (one.id === assistant.id ? assistant : one)) : [assistant, ...all]
  })
}

export async function createAssistant(client: QueryClient, body: AssistantDraft): Promise<Assistant> {
  const made = await api(assistantsApi.create, { body })
  cacheAssistant(client, made)
  return made
}

export async function changeAssistant(client: QueryClient, id: string, body: AssistantChange): Promise<Assistant> {
  const changed = await api(assistantsApi.update, { params: { id }, body })
  cacheAssistant(client, changed)
  return changed
}

export async function deleteAssistant(client: QueryClient, id: string): Promise<void> {
  await api(assistantsApi.delete, { params: { id } })
  client.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== id))
}

/** An uploaded file. Its events may have come before this response, so a cached row stays and is refetched. */
function addFile(client: QueryClient, assistantId: string, file: AssistantFile): void {
  changeFiles(client, assistantId, (files) => (files.some(({ id }) => id === file.id) ? files : [...files, file]))
  void client.invalidateQueries({ queryKey })
}

/** The files of an assistant or a project, with the calls that change them. */
export interface LibraryCalls {
  id: string
  /** The screen that shows them. */
  path: string
  addFile: typeof assistantsApi.addFile | typeof projectsApi.addFile
  onAdded: (client: QueryClient, file: AssistantFile) => void
  remove: (client: QueryClient, fileId: string) => Promise<void>
  retry: (client: QueryClient, fileId: string) => Promise<void>
  pay: (client: QueryClient, fileId: string) => Promise<void>
}

export const assistantLibrary = (id: string): LibraryCalls => ({
  id,
  path: paths.assistantEdit(id),
  addFile: assistantsApi.addFile,
  onAdded: (client, file) => addFile(client, id, file),
  remove: async (client, fileId) => {
    await api(assistantsApi.removeFile, { params: { id, fileId } })
    changeFiles(client, id, (files) => files.filter((file) => file.id !== fileId))
  },
  retry: async (client, fileId) => {
    await api(assistantsApi.retryFile, { params: { id, fileId } })
    await client.invalidateQueries({ queryKey })
  },
  pay: async (client, fileId) => {
    await api(assistantsApi.payFile, { params: { id, fileId } })
    await client.invalidateQueries({ queryKey })
  },
})

export const allowanceQuery = callQuery(['assistants-allowance'], assistantsApi.allowance, {})

function changeFiles(client: QueryClient, id: string, next: (files: AssistantFile[]) => AssistantFile[]): void {
  client.setQueryData(queryKey, (all) => all?.map((one) => (one.id === id ? { ...one, files: next(one.files) } : one)))
}
