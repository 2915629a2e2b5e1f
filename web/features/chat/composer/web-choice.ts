import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/create-store.ts'
import { pageConfig } from '#web/lib/page-state.ts'

/** The chats with web search turned on, remembered in this browser for each user. */

const listeners = createListeners()
const keyOf = (userId: string) => `web-search:${userId}`
/** The chat not started yet. */
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

/** The price of a search; null when this server has no search. */
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

/** Moves the choice made before the first message to the chat that the message starts. */
export function moveChoice(userId: string, threadId: string): void {
  if (!wantsSearch(userId, null)) return
  setWantsSearch(userId, null, false)
  setWantsSearch(userId, threadId, true)
}

export function useWantsSearch(userId: string, threadId: string | null): boolean {
  return useSyncExternalStore(listeners.subscribe, () => wantsSearch(userId, threadId))
}
