import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { plural } from '#web/lib/format.ts'
import { outbox, useOutbox } from './outbox.ts'

const load = () => import('./deliver.ts')

/** Loads the delivery code ahead of the first message. */
export function preloadDelivery(): void {
  load().catch(() => undefined)
}

/** Sends the outbox on every screen and returns its size. The code is loaded with the first message. */
export function useDelivery(userId: string): number {
  const client = useQueryClient()
  useEffect(() => {
    let stop: (() => void) | null = null
    let state: 'idle' | 'loading' | 'running' | 'gone' = 'idle'

    async function begin() {
      if (state !== 'idle' || outbox().all().length === 0) return
      state = 'loading'
      const part = await load().catch(() => null)
      if (state !== 'loading') return
      state = part ? 'running' : 'idle'
      stop = part?.startDelivery(client, userId) ?? null
    }

    const check = () => void begin()
    const unsubscribe = outbox().subscribe(check)
    addEventListener('online', check)
    check()
    return () => {
      state = 'gone'
      unsubscribe()
      removeEventListener('online', check)
      stop?.()
    }
  }, [client, userId])
  return useOutbox().filter((item) => item.userId === userId).length
}

/** «Ждут отправки: 2 сообщения.» */
export function waitingLabel(count: number): string | undefined {
  if (count === 0) return
  return `${plural(count, 'Ждёт', 'Ждут', 'Ждут')} отправки: ${count} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}.`
}
