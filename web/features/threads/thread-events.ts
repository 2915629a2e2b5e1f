import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readItemEvent, type TopicEvent } from '#contract/realtime.ts'
import type { ThreadAnswerFields } from '#contract/threads.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { readThreads } from './queries.ts'
import { changePages, listKey, THREADS, type ThreadPages } from './thread-cache.ts'
import { applyFreshRows, type ListChange, pageIndexesOf, placeThread, rowsOf } from './thread-pages.ts'

const PAUSE_MS = 300
/** With events for more pages than this the whole list is read instead. */
const MAX_PAGES = 3

type Batch = ReadonlyMap<string, ListChange>

/** Applies thread events of other windows and of the server to the lists. Used once, in the frame. */
export function useThreadListEvents() {
  const client = useQueryClient()
  useEffect(() => {
    const batcher = createBatcher((batch: Map<string, ListChange>) => applyEvents(client, batch), PAUSE_MS)
    const unsubscribe = subscribe(THREADS, (event) => {
      if (event.type === 'resumed') void client.invalidateQueries({ queryKey: [THREADS, 'list'] })
      const change = readItemEvent(event)
      if (change && !moveInPanel(client, change.id, event)) batcher.add(change.id, change.type)
    })
    return () => {
      unsubscribe()
      batcher.stop()
    }
  }, [client])
}

/** Moves a thread after an exchange: its event carries all changes. False when the list has to be refetched. */
export function moveInPanel(client: QueryClient, id: string, { data }: Pick<TopicEvent, 'data'>): boolean {
  const { change } = data as { change?: ThreadAnswerFields }
  const queryKey = listKey('active')
  const row = rowsOf(client.getQueryData<ThreadPages>(queryKey)?.pages ?? []).find((one) => one.id === id)
  // The response of a running request may be older than the exchange.
  if (!change || !row || client.isFetching({ queryKey }) > 0) return false
  if (row.version < change.version)
    changePages(client, queryKey, (pages) => placeThread(pages, 'active', { ...row, ...change }))
  return true
}

export async function applyEvents(client: QueryClient, change: Batch) {
  await waitForOwnChanges(client)
  await Promise.all([
    applyToPanel(client, change),
    client.invalidateQueries({
      queryKey: [THREADS, 'list'],
      predicate: ({ queryKey: [, , view, query] }) => view !== 'active' || query !== '',
    }),
  ])
}

/** Reads only the pages that the events are about, and only while the list is shown. */
async function applyToPanel(client: QueryClient, change: Batch): Promise<void> {
  const queryKey = listKey('active')
  const readAll = () => client.invalidateQueries({ queryKey })
  const list = client.getQueryData<ThreadPages>(queryKey)
  const isShown = client.getQueryCache().find({ queryKey })?.isActive()
  const places = pageIndexesOf(list?.pages ?? [], change)
  if (!list || !isShown || places.length > MAX_PAGES) return readAll()

  const read = await Promise.all(places.map((place) => readThreads('active', '', list.pageParams[place] ?? null)))
  if (client.isMutating({ mutationKey: [THREADS] }) > 0) return applyEvents(client, change)
  const pages = client.getQueryData<ThreadPages>(queryKey)?.pages
  const fresh = read.flatMap(({ items }) => items)
  const next = pages && applyFreshRows(pages, fresh, change)
  if (!next) return readAll()
  changePages(client, queryKey, () => next)
}

/** Responses requested before an own change would undo it in the cache. */
async function waitForOwnChanges(client: QueryClient) {
  while (client.isMutating({ mutationKey: [THREADS] }) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
}

/** Collects values and handles them in batches, one batch at a time; the last value of each key counts. */
export function createBatcher<Value>(handle: (batch: Map<string, Value>) => Promise<unknown>, pauseMs: number) {
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
