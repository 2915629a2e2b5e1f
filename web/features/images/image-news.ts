import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { TopicEvent } from '#contract/realtime.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { catchUp, forgetImages, imageQuery, readAgain } from './queries.ts'

const News = z.object({ type: z.enum(['changed', 'removed']), data: z.object({ id: z.string() }) })

/** Keeps the gallery in step with what is drawn and deleted, here and in other windows. */
export function useImageNews() {
  const client = useQueryClient()
  useEffect(() => subscribe('images', (event) => hear(client, event)), [client])
}

/** The same for one picture somewhere else. */
export function useNewsOf(id: string) {
  const client = useQueryClient()
  useEffect(
    () =>
      subscribe('images', (event) => {
        const news = News.safeParse(event)
        if (event.type === 'resumed' || news.data?.data.id === id)
          void client.invalidateQueries({ queryKey: imageQuery(id).queryKey })
      }),
    [client, id],
  )
}

function hear(client: QueryClient, event: TopicEvent) {
  if (event.type === 'resumed') return readAgain(client)
  const news = News.safeParse(event)
  if (!news.success) return
  const { id } = news.data.data
  if (news.data.type === 'removed') return forgetImages(client, [id])
  // Deleted meanwhile: that is news of its own.
  catchUp(client, id).catch(() => undefined)
}
