import { useSyncExternalStore } from 'react'
import { findScreen } from '#contract/screens.ts'

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
