import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { TopicEvent } from '#contract/realtime.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { readThreads } from './queries.ts'
import { changePages, listKey, THREADS, type ThreadPages } from './thread-cache.ts'
import { catchUp, type ListChange, pagesOf } from './thread-pages.ts'

const PAUSE_MS = 300
/** With news from more places than this, reading the whole list is no more work. */
const MAX_PAGES = 3

type Batch = ReadonlyMap<string, ListChange>

/** Keeps the lists in step with what happens to threads in other windows and on the server. For the frame, once. */
export function useThreadEvents() {
  const client = useQueryClient()
  useEffect(() => {
    const change = collect((batch: Map<string, ListChange>) => applyEvents(client, batch), PAUSE_MS)
    const unsubscribe = subscribe(THREADS, (event) => {
      if (event.type === 'resumed') void client.invalidateQueries({ queryKey: [THREADS, 'list'] })
      const told = readListEvent(event)
      if (told) change.add(told.data.id, told.type)
    })
    return () => {
      unsubscribe()
      change.stop()
    }
  }, [client])
}

const ListEvent = z.object({ type: z.enum(['changed', 'removed']), data: z.object({ id: z.string() }) })

function readListEvent(event: TopicEvent) {
  const told = ListEvent.safeParse(event)
  return told.success ? told.data : null
}

export async function applyEvents(client: QueryClient, change: Batch) {
  await afterChanges(client)
  await Promise.all([
    applyToPanel(client, change),
    client.invalidateQueries({
      queryKey: [THREADS, 'list'],
      predicate: ({ queryKey: [, , view, query] }) => view !== 'active' || query !== '',
    }),
  ])
}

/** Reads only the pages that the news is about, however long the list has grown; and only if anybody sees it. */
async function applyToPanel(client: QueryClient, change: Batch): Promise<void> {
  const queryKey = listKey('active')
  const readAll = () => client.invalidateQueries({ queryKey })
  const list = client.getQueryData<ThreadPages>(queryKey)
  const isShown = client.getQueryCache().find({ queryKey })?.isActive()
  const places = pagesOf(list?.pages ?? [], change)
  if (!list || !isShown || places.length > MAX_PAGES) return readAll()

  const read = await Promise.all(places.map((place) => readThreads('active', '', list.pageParams[place] ?? null)))
  if (client.isMutating({ mutationKey: [THREADS] }) > 0) return applyEvents(client, change)
  const pages = client.getQueryData<ThreadPages>(queryKey)?.pages
  const fresh = read.flatMap(({ items }) => items)
  const next = pages && catchUp(pages, fresh, change)
  if (!next) return readAll()
  changePages(client, queryKey, () => next)
}

/** What is being changed here is newer than any answer that was asked for before. */
async function afterChanges(client: QueryClient) {
  while (client.isMutating({ mutationKey: [THREADS] }) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
}

/** Gathers what comes in bursts and hands it on together, one batch after another; of each key the last word counts. */
export function collect<Value>(handle: (batch: Map<string, Value>) => Promise<unknown>, pauseMs: number) {
  let waiting = new Map<string, Value>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let isBusy = false

  async function flush() {
    timer = null
    const batch = waiting
    waiting = new Map()
    isBusy = true
    await handle(batch).catch(() => undefined)
    isBusy = false
    if (waiting.size > 0) start()
  }

  function start() {
    if (timer === null && !isBusy) timer = setTimeout(() => void flush(), pauseMs)
  }

  return {
    add(key: string, value: Value) {
      waiting.set(key, value)
      start()
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      waiting.clear()
    },
  }
}
