import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { plural } from '#web/lib/format.ts'
import { outbox, useOutbox } from '../state/outbox.ts'

type Delivery = typeof import('./deliver.ts')
let delivery: Delivery | null = null

async function load(): Promise<Delivery | null> {
  delivery ??= await import('./deliver.ts').catch(() => null)
  return delivery
}

/** Loads the delivery code ahead of the first message. */
export function preloadDelivery(): void {
  void load()
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
      // Without an await when the code is loaded, so that a message is sent before the page renders it.
      const part = delivery ?? (await load())
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
