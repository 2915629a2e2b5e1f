import { useSyncExternalStore } from 'react'
import type { WebSearch } from '#contract/web-search.ts'
import { createListeners } from '#web/lib/create-store.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { readJson } from '#web/lib/stored.ts'

/** The web search chosen for the next question of each chat, remembered in this browser for each user. */

export interface WebChoice {
  search: WebSearch
  /** It stays on after the answer. */
  isPinned: boolean
}

const choices = {
  search: { search: true, isPinned: false },
  detailed: { search: 'detailed', isPinned: false },
  'search-pinned': { search: true, isPinned: true },
  'detailed-pinned': { search: 'detailed', isPinned: true },
} as const satisfies Record<string, WebChoice>
type ChoiceName = keyof typeof choices
export const searchOff: WebChoice = { search: false, isPinned: false }

const listeners = createListeners()
const keyOf = (userId: string) => `web-search:${userId}`
/** The chat not started yet. */
const NEW = 'new'
const MOST = 200

function readAll(userId: string): Record<string, ChoiceName> {
  const stored = readJson(localStorage.getItem(keyOf(userId)))
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, name]) => Object.hasOwn(choices, name)))
}

/** The price of a search; null when this server has no search. */
export const searchPrice = (): number | null => pageConfig().webSearch?.price ?? null

export function webChoice(userId: string, threadId: string | null): WebChoice {
  const stored = searchPrice() === null ? undefined : readAll(userId)[threadId ?? NEW]
  return stored ? choices[stored] : searchOff
}

export function chooseWeb(userId: string, threadId: string | null, { search, isPinned }: WebChoice): void {
  const { [threadId ?? NEW]: _, ...others } = readAll(userId)
  const name = `${search === 'detailed' ? 'detailed' : 'search'}${isPinned ? '-pinned' : ''}`
  const entries = [...Object.entries(others), ...(search ? [[threadId ?? NEW, name]] : [])].slice(-MOST)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // The storage is full: the choice is not remembered.
  }
  listeners.notify()
}

/** A question was sent: its search is off for the next one unless it is pinned. A chat that it starts takes the pin. */
export function afterSending(userId: string, threadId: string | null, startedId = threadId): void {
  const choice = webChoice(userId, threadId)
  if (!choice.search || (choice.isPinned && startedId === threadId)) return
  chooseWeb(userId, threadId, searchOff)
  if (choice.isPinned) chooseWeb(userId, startedId, choice)
}

export function useWebChoice(userId: string, threadId: string | null): WebChoice {
  return useSyncExternalStore(
    listeners.subscribe,
    () => webChoice(userId, threadId),
    () => searchOff,
  )
}
