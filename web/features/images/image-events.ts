import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { TopicEvent } from '#contract/realtime.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { catchUp, forgetImages, imageQuery, readAgain } from './queries.ts'

const ImageEvent = z.object({ type: z.enum(['changed', 'removed']), data: z.object({ id: z.string() }) })

/** Keeps the gallery in step with what is drawn and deleted, here and in other windows. */
export function useImageEvents() {
  const client = useQueryClient()
  useEffect(() => subscribe('images', (event) => applyEvent(client, event)), [client])
}

/** The same for one picture somewhere else. */
export function useImageEventsOf(id: string) {
  const client = useQueryClient()
  useEffect(
    () =>
      subscribe('images', (event) => {
        const busEvent = ImageEvent.safeParse(event)
        if (event.type === 'resumed' || busEvent.data?.data.id === id)
          void client.invalidateQueries({ queryKey: imageQuery(id).queryKey })
      }),
    [client, id],
  )
}

function applyEvent(client: QueryClient, event: TopicEvent) {
  if (event.type === 'resumed') return readAgain(client)
  const busEvent = ImageEvent.safeParse(event)
  if (!busEvent.success) return
  const { id } = busEvent.data.data
  if (busEvent.data.type === 'removed') return forgetImages(client, [id])
  // Deleted meanwhile: that is news of its own.
  catchUp(client, id).catch(() => undefined)
}
