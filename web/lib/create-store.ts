import { useSyncExternalStore } from 'react'

/** A value outside React: modules read and set it, components follow it with `use`. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  function set(next: Value) {
    if (next === value) return
    value = next
    for (const listener of listeners) listener()
  }
  function subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { get, set, subscribe, use: () => useSyncExternalStore(subscribe, get) }
}
