import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readItemEvent, type TopicEvent } from '#contract/realtime.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { forgetImages, imageQuery, refetchImage, refetchImages } from './queries.ts'

/** Updates the gallery when images are drawn or deleted, also in other tabs. */
export function useImageEvents() {
  const client = useQueryClient()
  useEffect(() => subscribe('images', (event) => applyEvent(client, event)), [client])
}

/** The same for a single image outside the gallery. */
export function useImageEventsOf(id: string) {
  const client = useQueryClient()
  useEffect(
    () =>
      subscribe('images', (event) => {
        if (event.type === 'resumed' || readItemEvent(event)?.id === id)
          void client.invalidateQueries({ queryKey: imageQuery(id).queryKey })
      }),
    [client, id],
  )
}

/** The newest unfinished image, while the model sends them. */
export function usePartial(id: string): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(
    () =>
      subscribe('images', ({ type, data }) => {
        const partial = data as { id?: unknown; url?: unknown } | null
        if (type === 'partial' && partial?.id === id && typeof partial.url === 'string') setUrl(partial.url)
      }),
    [id],
  )
  return url
}

function applyEvent(client: QueryClient, event: TopicEvent) {
  if (event.type === 'resumed') return refetchImages(client)
  const change = readItemEvent(event)
  if (change?.type === 'removed') return forgetImages(client, [change.id])
  // A 404 means it was deleted; a separate event follows.
  if (change) refetchImage(client, change.id).catch(() => undefined)
}
