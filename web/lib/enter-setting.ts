import { useSyncExternalStore } from 'react'

/** What Enter does in the field of a message; Shift + Enter does the other thing. Remembered in this browser. */

const KEY = 'enter-breaks'
const listeners = new Set<() => void>()

function enterSends(): boolean {
  return localStorage.getItem(KEY) !== 'yes'
}

function notify() {
  for (const listener of listeners) listener()
}

export function setEnterSends(sends: boolean): void {
  if (sends) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'yes')
  notify()
}

function subscribe(listener: () => void) {
  const onStorage = ({ key }: StorageEvent) => key === KEY && listener()
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

export function useEnterSends(): boolean {
  return useSyncExternalStore(subscribe, enterSends)
}
