import { useSyncExternalStore } from 'react'
import { createListeners } from './create-store.ts'

/** Values by key outside React; a component follows one of them with `use`. */
export function createKeyedStore<Value>() {
  const { notify, subscribe } = createListeners()
  const values = new Map<string, Value>()
  return {
    get: (key: string) => values.get(key),
    set(key: string, value: Value) {
      values.set(key, value)
      notify()
    },
    delete(key: string) {
      if (values.delete(key)) notify()
    },
    subscribe,
    use: (key: string) => useSyncExternalStore(subscribe, () => values.get(key)),
  }
}
