import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/create-store.ts'
import { pageConfig } from '#web/lib/page-state.ts'

/** In which chats the search on the web is on. Remembered in this browser, for each user. */

const listeners = createListeners()
const keyOf = (userId: string) => `web-search:${userId}`
/** The chat that has not begun. */
const NEW = 'new'
const MOST = 200

function chosen(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** What a search costs; null when there is none on this server. */
export const searchPrice = (): number | null => pageConfig().webSearch?.price ?? null

export function wantsSearch(userId: string, threadId: string | null): boolean {
  return searchPrice() !== null && chosen(userId).includes(threadId ?? NEW)
}

export function setWantsSearch(userId: string, threadId: string | null, isOn: boolean): void {
  const id = threadId ?? NEW
  const others = chosen(userId).filter((other) => other !== id)
  localStorage.setItem(keyOf(userId), JSON.stringify(isOn ? [...others, id].slice(-MOST) : others))
  listeners.notify()
}

/** The choice made before the first message is that of the chat it begins. */
export function moveChoice(userId: string, threadId: string): void {
  if (!wantsSearch(userId, null)) return
  setWantsSearch(userId, null, false)
  setWantsSearch(userId, threadId, true)
}

export function useWantsSearch(userId: string, threadId: string | null): boolean {
  return useSyncExternalStore(listeners.subscribe, () => wantsSearch(userId, threadId))
}
