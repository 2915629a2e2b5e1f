import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TopicEvent } from '#contract/realtime.ts'
import { ThreadEvent } from '#contract/threads.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { attachToRunning } from '../answers/answers.ts'
import { getRun } from '../answers/runs.ts'
import { threadKey } from './thread-key.ts'

/** Keeps an open thread in step with other windows and the server. What this window hears itself needs no news. */
export function useThreadEvents(threadId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = threadKey(threadId)
    return subscribe(`thread:${threadId}`, (event) => {
      const version = client.getQueryData(queryKey)?.version
      if (getRun(threadId) || !isNewEvent(event, version)) return
      void client.invalidateQueries({ queryKey, exact: true })
    })
  }, [client, threadId])
}

function isNewEvent(event: TopicEvent, version = -1): boolean {
  if (event.type === 'resumed') return true
  const busEvent = ThreadEvent.safeParse(event)
  if (!busEvent.success) return false
  return busEvent.data.type === 'changed' ? busEvent.data.data.version > version : true
}

/** Hears an answer that was begun elsewhere: before a reload, in another window, on another device. */
export function useRunningAnswer(threadId: string, streamingId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (streamingId) attachToRunning(client, threadId)
  }, [client, threadId, streamingId])
}
