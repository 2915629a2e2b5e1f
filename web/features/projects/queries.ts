import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { AssistantFile } from '#contract/assistants.ts'
import { type ChatsOfDeleted, type ProjectChange, type ProjectDraft, projectsApi } from '#contract/projects.ts'
import { threadsApi } from '#contract/threads.ts'
import { isProcessing, type LibraryCalls } from '#web/features/assistants/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { subscribe } from '#web/lib/realtime.ts'

/** It is given the call, because a lazy part must not import this file. */
export const NewProjectDialog = lazyComponent(async () => (await import('./new-project-dialog.tsx')).NewProjectDialog)

const POLL_MS = 5000
const PROJECTS = 'projects'

/** All projects of the user, with the archived ones. */
export const projectsQuery = callQuery([PROJECTS, 'list'], projectsApi.list, {})

export const projectQuery = (id: string) =>
  callQuery(
    [PROJECTS, 'one', id],
    projectsApi.get,
    { params: { id } },
    {
      // Polls while files are processed, because events may get lost.
      refetchInterval: ({ state }) => (state.data?.files.some(isProcessing) ? POLL_MS : false),
    },
  )

export const spendingQuery = (id: string) =>
  callQuery([PROJECTS, 'spending', id], projectsApi.spending, { params: { id } }, { staleTime: 0 })

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [PROJECTS] })

/** Refreshes on changes in other tabs, and on the events of more topics, such as files. */
export function useProjectEvents(...more: string[]): void {
  const client = useQueryClient()
  const topics = more.join(' ')
  useEffect(() => {
    const onEvent = () => void refresh(client)
    const ends = [PROJECTS, ...topics.split(' ').filter(Boolean)].map((topic) => subscribe(topic, onEvent))
    return () => {
      for (const end of ends) end()
    }
  }, [client, topics])
}

export async function createProject(client: QueryClient, body: ProjectDraft) {
  const made = await api(projectsApi.create, { body })
  client.setQueryData(projectQuery(made.id).queryKey, made)
  void client.invalidateQueries(profileQuery)
  await refresh(client)
  return made
}

export async function changeProject(client: QueryClient, id: string, body: ProjectChange) {
  const changed = await api(projectsApi.update, { params: { id }, body })
  client.setQueryData(projectQuery(id).queryKey, changed)
  await refresh(client)
  return changed
}

export async function deleteProject(client: QueryClient, id: string, chats: ChatsOfDeleted): Promise<void> {
  await api(projectsApi.delete, { params: { id }, query: { chats } })
  client.removeQueries({ queryKey: projectQuery(id).queryKey })
  await refresh(client)
  void client.invalidateQueries(profileQuery)
  await client.invalidateQueries({ queryKey: ['threads'] })
}

/** Opens a new chat of the project. One that was begun and left empty is opened again. */
export async function openNewChat(client: QueryClient, projectId: string): Promise<void> {
  const [newest] = await api(threadsApi.list, { query: { project: projectId, limit: 1 } })
  const isEmpty = newest && newest.currentLeafId === null && !newest.pinned
  const { id } = isEmpty ? newest : await api(threadsApi.create, { body: { projectId } })
  await client.invalidateQueries({ queryKey: ['threads', 'list'] })
  navigate(paths.thread(id))
}

/** The files of a project, with the calls that change them. */
export const projectLibrary = (id: string): LibraryCalls => ({
  id,
  path: paths.project(id),
  addFile: projectsApi.addFile,
  onAdded: (client: QueryClient, _file: AssistantFile) => void refresh(client),
  remove: async (client, fileId) => {
    await api(projectsApi.removeFile, { params: { id, fileId } })
    await refresh(client)
  },
  retry: async (client, fileId) => {
    await api(projectsApi.retryFile, { params: { id, fileId } })
    await refresh(client)
  },
  pay: async (client, fileId) => {
    await api(projectsApi.payFile, { params: { id, fileId } })
    await refresh(client)
  },
})
