import { useSyncExternalStore } from 'react'
import { findScreen } from '#contract/screens.ts'
import { paths } from '#web/lib/paths.ts'

/** The browser fires popstate; wouter fires the other two for its own changes. */
const changes = ['popstate', 'pushState', 'replaceState']

export function openThreadId(): string | null {
  const match = findScreen(location.pathname)
  return match?.screen === 'threads-id' ? (match.params.id ?? null) : null
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
  openId: string | null
  deletedIds: readonly string[]
  /** The list as it was shown before. */
  listIds: readonly string[]
}

/** The path to open after deleting, or null to stay (specification, section 2). */
export function pathAfterDelete({ openId, deletedIds, listIds }: Deletion): string | null {
  if (!openId || !deletedIds.includes(openId)) return null
  const next = listIds.find((id) => !deletedIds.includes(id))
  return next ? paths.thread(next) : paths.home()
}

/** The thread that was last open in this tab. */

const key = (userId: string) => `last-thread:${userId}`

export function lastThread(userId: string, storage: Pick<Storage, 'getItem'> = sessionStorage): string | null {
  return storage.getItem(key(userId))
}

/** Null removes it. */
export function rememberThread(
  userId: string,
  threadId: string | null,
  storage: Pick<Storage, 'setItem' | 'removeItem'> = sessionStorage,
): void {
  if (threadId === null) storage.removeItem(key(userId))
  else storage.setItem(key(userId), threadId)
}
