import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { plural } from '#web/lib/format.ts'
import { outbox, useOutbox } from '../state/outbox.ts'
import { sendLeftovers } from './send.ts'

/** Sends leftovers after a reload, when the network is back, and for other windows. Returns how many messages wait. */
export function usePickUp(userId: string): number {
  const client = useQueryClient()
  const own = useOutbox().filter((item) => item.userId === userId)
  useEffect(() => {
    // These were rejected without a session, and now there is one.
    for (const { id, failure } of outbox().all())
      if (failure?.code === 'unauthorized') outbox().update(id, { failure: undefined })
    const pickUp = () => sendLeftovers(client, userId)
    addEventListener('online', pickUp)
    // The outbox, opened above, has read the change before.
    addEventListener('storage', pickUp)
    pickUp()
    return () => {
      removeEventListener('online', pickUp)
      removeEventListener('storage', pickUp)
    }
  }, [client, userId])
  return own.length
}

/** «Ждут отправки: 2 сообщения.» */
export function waitingLabel(count: number): string | undefined {
  if (count === 0) return
  return `${plural(count, 'Ждёт', 'Ждут', 'Ждут')} отправки: ${count} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}.`
}
