import { expect, test, vi } from 'vitest'
import { createWeighedCache } from './weighed-cache.ts'

test('a cache drops what was used least recently, by weight (S10.1225)', () => {
  const cache = createWeighedCache<string>({ most: 10, ms: 1000 })
  cache.set('a', 'A', 4)
  cache.set('b', 'B', 4)
  cache.get('a')
  cache.set('c', 'C', 4)
  expect(['a', 'b', 'c'].map(cache.get)).toEqual(['A', undefined, 'C'])
  cache.set('a', 'A2', 5)
  cache.set('large', 'L', 11)
  expect(['a', 'c', 'large'].map(cache.get)).toEqual(['A2', 'C', undefined])
})

test('a cache forgets what is old (S10.1225)', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cache = createWeighedCache<string>({ most: 10, ms: 1000 })
  cache.set('a', 'A', 10)
  vi.advanceTimersByTime(999)
  expect(cache.get('a')).toBe('A')
  vi.advanceTimersByTime(1)
  expect(cache.get('a')).toBeUndefined()
  cache.set('b', 'B', 10)
  expect(cache.get('b')).toBe('B')
  vi.useRealTimers()
})
