import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
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

function applyEvent(client: QueryClient, event: TopicEvent) {
  if (event.type === 'resumed') return refetchImages(client)
  const change = readItemEvent(event)
  if (change?.type === 'removed') return forgetImages(client, [change.id])
  // A 404 means it was deleted; a separate event follows.
  if (change) refetchImage(client, change.id).catch(() => undefined)
}
