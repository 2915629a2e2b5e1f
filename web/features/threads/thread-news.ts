import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { TopicEvent } from '#contract/realtime.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { collect } from './collect.ts'
import { readThreads } from './queries.ts'
import { changePages, listKey, THREADS, type ThreadPages } from './thread-cache.ts'
import { catchUp, type News, pagesOf } from './thread-pages.ts'

const PAUSE_MS = 300
/** With news from more places than this, reading the whole list is no more work. */
const MAX_PAGES = 3

type Batch = ReadonlyMap<string, News>

/** Keeps the lists in step with what happens to threads in other windows and on the server. For the frame, once. */
export function useThreadNews() {
  const client = useQueryClient()
  useEffect(() => {
    const news = collect((batch: Map<string, News>) => hear(client, batch), PAUSE_MS)
    const unsubscribe = subscribe(THREADS, (event) => {
      if (event.type === 'resumed') void client.invalidateQueries({ queryKey: [THREADS, 'list'] })
      const told = readNews(event)
      if (told) news.add(told.data.id, told.type)
    })
    return () => {
      unsubscribe()
      news.stop()
    }
  }, [client])
}

const ListNews = z.object({ type: z.enum(['changed', 'removed']), data: z.object({ id: z.string() }) })

function readNews(event: TopicEvent) {
  const told = ListNews.safeParse(event)
  return told.success ? told.data : null
}

export async function hear(client: QueryClient, news: Batch) {
  await afterChanges(client)
  await Promise.all([
    hearInPanel(client, news),
    client.invalidateQueries({
      queryKey: [THREADS, 'list'],
      predicate: ({ queryKey: [, , view, query] }) => view !== 'active' || query !== '',
    }),
  ])
}

/** Reads only the pages that the news is about, however long the list has grown; and only if anybody sees it. */
async function hearInPanel(client: QueryClient, news: Batch): Promise<void> {
  const queryKey = listKey('active')
  const readAll = () => client.invalidateQueries({ queryKey })
  const list = client.getQueryData<ThreadPages>(queryKey)
  const isShown = client.getQueryCache().find({ queryKey })?.isActive()
  const places = pagesOf(list?.pages ?? [], news)
  if (!list || !isShown || places.length > MAX_PAGES) return readAll()

  const read = await Promise.all(places.map((place) => readThreads('active', '', list.pageParams[place] ?? null)))
  if (client.isMutating({ mutationKey: [THREADS] }) > 0) return hear(client, news)
  const pages = client.getQueryData<ThreadPages>(queryKey)?.pages
  const fresh = read.flatMap(({ items }) => items)
  const next = pages && catchUp(pages, fresh, news)
  if (!next) return readAll()
  changePages(client, queryKey, () => next)
}

/** What is being changed here is newer than any answer that was asked for before. */
async function afterChanges(client: QueryClient) {
  while (client.isMutating({ mutationKey: [THREADS] }) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
}
