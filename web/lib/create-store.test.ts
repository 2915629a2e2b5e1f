import { expect, test, vi } from 'vitest'
import { createStore } from './create-store.ts'

test('listeners are called when the value changes, until they unsubscribe', () => {
  const store = createStore(0)
  const listener = vi.fn()
  const unsubscribe = store.subscribe(listener)
  store.set(1)
  store.set(1)
  expect(store.get()).toBe(1)
  expect(listener).toHaveBeenCalledOnce()
  unsubscribe()
  store.set(2)
  expect(listener).toHaveBeenCalledOnce()
})
