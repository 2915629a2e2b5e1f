import { onlineManager } from '@tanstack/react-query'
import { setPageUser } from '#web/lib/page-state.ts'
import { reconnectDelay } from '#web/lib/reconnect-delay.ts'
import { refreshSession } from '#web/lib/session.ts'
import { queryClient } from '../query-client.ts'
import { rememberedPerson } from './person.ts'

/** Starts a page that was opened offline: it shows what this browser has stored, and calls wait for the server. */
export function startOffline(): void {
  setPageUser(rememberedPerson())
  document.documentElement.dataset.offline = 'yes'
  onlineManager.setEventListener(watchNetwork)
  onlineManager.setOnline(false)
}

/** Does not rely on the browser's events alone: with a network the server may still be unreachable. */
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
