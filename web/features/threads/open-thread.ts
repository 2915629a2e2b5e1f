import { useSyncExternalStore } from 'react'
import { findScreen } from '#contract/screens.ts'
import { paths } from '#web/lib/paths.ts'

/** wouter announces its own history changes under these two names besides the browser's. */
const changes = ['popstate', 'pushState', 'replaceState']

/** The thread on the screen, by the address; null anywhere else. */
export function openThreadId(): string | null {
  const place = findScreen(location.pathname)
  return place?.screen === 'threads-id' ? (place.params.id ?? null) : null
}

function subscribe(onChange: () => void) {
  for (const name of changes) addEventListener(name, onChange)
  return () => {
    for (const name of changes) removeEventListener(name, onChange)
  }
}

export function useOpenThreadId(): string | null {
  return useSyncExternalStore(subscribe, openThreadId)
}

interface Deletion {
  /** The thread on the screen, if it is one. */
  openId: string | null
  deletedIds: readonly string[]
  /** The list as it was shown. */
  listIds: readonly string[]
}

/** Where to go after deleting, or null to stay: the specification, section 2. */
export function wayAfterDelete({ openId, deletedIds, listIds }: Deletion): string | null {
  if (!openId || !deletedIds.includes(openId)) return null
  const next = listIds.find((id) => !deletedIds.includes(id))
  return next ? paths.thread(next) : paths.home()
}

/** The chat that was last open in this tab, so that one can come back to it from elsewhere. */

const key = (userId: string) => `last-thread:${userId}`

export function lastThread(userId: string, storage: Pick<Storage, 'getItem'> = sessionStorage): string | null {
  return storage.getItem(key(userId))
}

/** Null once it is no more. */
export function rememberThread(
  userId: string,
  threadId: string | null,
  storage: Pick<Storage, 'setItem' | 'removeItem'> = sessionStorage,
): void {
  if (threadId === null) storage.removeItem(key(userId))
  else storage.setItem(key(userId), threadId)
}
