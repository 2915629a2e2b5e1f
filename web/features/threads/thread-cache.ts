import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Thread } from '#contract/threads.ts'
import { placeThread, removeThread, replaceFound, rowsOf, type ThreadPage, type View } from './thread-pages.ts'

export const THREADS = 'threads'
export const CHANGE = [THREADS, 'change']

export type ThreadPages = InfiniteData<ThreadPage, string | null>

/** A search result is a list too, but threads are not inserted into it. */
export const listKey = (view: View, query = '', project?: string) => [THREADS, 'list', view, query, project] as const
/** The last response of the server about a thread, for screens that show it outside of a list. */
export const lastKnownKey = (id: string) => [THREADS, 'last-known', id] as const

/** Updates a thread in every cached list, also before the server confirmed the change. */
export function showThread(client: QueryClient, thread: Thread): void {
  changeLists(client, (pages, view, query, project) =>
    query === '' ? placeThread(pages, view, thread, project) : replaceFound(pages, view, thread),
  )
}

export function storeThread(client: QueryClient, thread: Thread): void {
  client.setQueryData(lastKnownKey(thread.id), thread)
  showThread(client, thread)
}

export function forgetThread(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: lastKnownKey(id) })
  client.removeQueries({ queryKey: ['thread', id], type: 'inactive' })
  changeLists(client, (pages) => removeThread(pages, id))
}

/** The ids of the list in the panel, as far as it is loaded. */
export function listedIds(client: QueryClient): string[] {
  const list = client.getQueryData<ThreadPages>(listKey('active'))
  return rowsOf(list?.pages ?? []).map(({ id }) => id)
}

type Change = (pages: ThreadPage[], view: View, query: string, project?: string) => ThreadPage[]

function changeLists(client: QueryClient, change: Change) {
  for (const [queryKey] of client.getQueriesData<ThreadPages>({ queryKey: [THREADS, 'list'] })) {
    const [, , view, query, project] = queryKey as ReturnType<typeof listKey>
    changePages(client, queryKey, (pages) => change(pages, view, query, project))
  }
}

export function changePages(client: QueryClient, queryKey: QueryKey, change: (pages: ThreadPage[]) => ThreadPage[]) {
  client.setQueryData<ThreadPages>(queryKey, (list) => list && { ...list, pages: change(list.pages) })
}
