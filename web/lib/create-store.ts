import { useSyncExternalStore } from 'react'

/** The subscribers of a value that lives outside React. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    notify() {
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A value outside React: modules read and set it, components follow it with `use`. */
export function createStore<Value>(initial: Value) {
  const { notify, subscribe } = createListeners()
  let value = initial
  const get = () => value
  function set(next: Value) {
    if (next === value) return
    value = next
    notify()
  }
  return { get, set, subscribe, use: () => useSyncExternalStore(subscribe, get) }
}
