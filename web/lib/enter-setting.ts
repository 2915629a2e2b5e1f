import { useSyncExternalStore } from 'react'
import { createListeners } from './create-store.ts'

/** What Enter does in the field of a message; Shift + Enter does the other thing. Remembered in this browser. */

const KEY = 'enter-breaks'
const listeners = createListeners()

function enterSends(): boolean {
  return localStorage.getItem(KEY) !== 'yes'
}

export function setEnterSends(sends: boolean): void {
  if (sends) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'yes')
  listeners.notify()
}

function subscribe(listener: () => void) {
  const onStorage = ({ key }: StorageEvent) => key === KEY && listener()
  const unsubscribe = listeners.subscribe(listener)
  addEventListener('storage', onStorage)
  return () => {
    unsubscribe()
    removeEventListener('storage', onStorage)
  }
}

export function useEnterSends(): boolean {
  return useSyncExternalStore(subscribe, enterSends)
}
