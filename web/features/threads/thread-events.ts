import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readItemEvent, type TopicEvent } from '#contract/realtime.ts'
import type { ThreadAnswerFields } from '#contract/threads.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { listKey, showThread, THREADS, type ThreadPages } from './thread-cache.ts'
import { rowsOf } from './thread-pages.ts'

const PAUSE_MS = 300

/** Applies thread events of other windows and of the server to the lists. Used once, in the frame. */
export function useThreadListEvents() {
  const client = useQueryClient()
  useEffect(() => {
    const refetch = createListRefetch(client)
    const unsubscribe = subscribe(THREADS, (event) => {
      const change = readItemEvent(event)
      const isKnown = change !== null && moveInPanel(client, change.id, event)
      if (event.type === 'resumed' || (change && !isKnown)) refetch.start()
    })
    return () => {
      unsubscribe()
      refetch.stop()
    }
  }, [client])
}

/** Moves a thread after an exchange: its event carries all changes. False when the lists have to be refetched. */
export function moveInPanel(client: QueryClient, id: string, { data }: Pick<TopicEvent, 'data'>): boolean {
  const { change } = data as { change?: ThreadAnswerFields }
  const queryKey = listKey('active')
  const row = rowsOf(client.getQueryData<ThreadPages>(queryKey)?.pages ?? []).find((listed) => listed.id === id)
  // The response of a running request may be older than the exchange.
  if (!change || !row || client.isFetching({ queryKey }) > 0) return false
  if (row.version < change.version) showThread(client, { ...row, ...change })
  return true
}

/**
 * Refetches the lists that are shown, once for a burst of events, and marks the others stale. Waits for changes that
 * this page is sending: a response from before them would undo them in the cache.
 */
export function createListRefetch(client: QueryClient) {
  let timer: ReturnType<typeof setTimeout> | undefined

  function start() {
    timer ??= setTimeout(refetch, PAUSE_MS)
  }

  function refetch() {
    timer = undefined
    if (client.isMutating({ mutationKey: [THREADS] }) > 0) start()
    else void client.invalidateQueries({ queryKey: [THREADS, 'list'] })
  }

  return { start, stop: () => clearTimeout(timer) }
}
