import { expect, test, vi } from 'vitest'
import { createKeyedStore } from './create-keyed-store.ts'
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

test('a keyed store reports new values and deletions', () => {
  const store = createKeyedStore<number>()
  const listener = vi.fn()
  store.subscribe(listener)
  store.set('a', 1)
  store.delete('b')
  expect(listener).toHaveBeenCalledOnce()
  expect(store.get('a')).toBe(1)
  store.delete('a')
  expect(store.get('a')).toBeUndefined()
  expect(listener).toHaveBeenCalledTimes(2)
})
