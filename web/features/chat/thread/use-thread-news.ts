import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TopicEvent } from '#contract/realtime.ts'
import { ThreadNews } from '#contract/threads.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { attachToRunning } from '../answers/answers.ts'
import { getRun } from '../answers/runs.ts'
import { threadKey } from './thread-key.ts'

/** Keeps an open thread in step with other windows and the server. What this window hears itself needs no news. */
export function useThreadNews(threadId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = threadKey(threadId)
    return subscribe(`thread:${threadId}`, (event) => {
      const version = client.getQueryData(queryKey)?.version
      if (getRun(threadId) || !isNews(event, version)) return
      void client.invalidateQueries({ queryKey, exact: true })
    })
  }, [client, threadId])
}

function isNews(event: TopicEvent, version = -1): boolean {
  if (event.type === 'resumed') return true
  const news = ThreadNews.safeParse(event)
  if (!news.success) return false
  return news.data.type === 'changed' ? news.data.data.version > version : true
}

/** Hears an answer that was begun elsewhere: before a reload, in another window, on another device. */
export function useRunningAnswer(threadId: string, streamingId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (streamingId) attachToRunning(client, threadId)
  }, [client, threadId, streamingId])
}
