import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { TopicEvent } from '#contract/realtime.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { forgetImages, imageQuery, refetchImage, refetchImages } from './queries.ts'

const ImageEvent = z.object({ type: z.enum(['changed', 'removed']), data: z.object({ id: z.string() }) })

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
        const parsed = ImageEvent.safeParse(event)
        if (event.type === 'resumed' || parsed.data?.data.id === id)
          void client.invalidateQueries({ queryKey: imageQuery(id).queryKey })
      }),
    [client, id],
  )
}

function applyEvent(client: QueryClient, event: TopicEvent) {
  if (event.type === 'resumed') return refetchImages(client)
  const parsed = ImageEvent.safeParse(event)
  if (!parsed.success) return
  const { id } = parsed.data.data
  if (parsed.data.type === 'removed') return forgetImages(client, [id])
  // A 404 means it was deleted; a separate event follows.
  refetchImage(client, id).catch(() => undefined)
}
