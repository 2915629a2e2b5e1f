import { onlineManager } from '@tanstack/react-query'
import { setPageUser } from '#web/lib/page-state.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import { refreshSession } from '#web/lib/session.ts'
import { queryClient } from '../query-client.ts'
import { rememberedPerson } from './person.ts'

/**
 * The page was opened without a network: it shows what is in this browser, calls wait, and once the server answers
 * everything goes on in the same page.
 */
export function startOffline(): void {
  setPageUser(rememberedPerson())
  document.documentElement.dataset.offline = 'yes'
  onlineManager.setEventListener(watchNetwork)
  onlineManager.setOnline(false)
}

/** Not by the word of the browser alone: a network may be there without the server. */
function watchNetwork(setOnline: (isOnline: boolean) => void): () => void {
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false

  async function ask() {
    clearTimeout(timer)
    if (isAsking || onlineManager.isOnline()) return
    isAsking = true
    try {
      await refreshSession(queryClient)
      attempt = 0
      delete document.documentElement.dataset.offline
      setOnline(true)
    } catch {
      timer = setTimeout(() => void ask(), reconnectDelay(attempt))
      attempt += 1
    }
    isAsking = false
  }

  const onOnline = () => {
    attempt = 0
    void ask()
  }
  const onOffline = () => setOnline(false)
  addEventListener('online', onOnline)
  addEventListener('offline', onOffline)
  timer = setTimeout(() => void ask(), reconnectDelay(attempt))
  return () => {
    clearTimeout(timer)
    removeEventListener('online', onOnline)
    removeEventListener('offline', onOffline)
  }
}
