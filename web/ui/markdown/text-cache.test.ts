import { expect, test } from 'vitest'
import { bytesOf, createTextCache } from './text-cache.ts'

const weigh = () => 0

test('what was not asked for in time is forgotten (S10.1004)', () => {
  const cache = createTextCache<number>({ maxBytes: 100, keptMs: 10, weigh })
  cache.set('a', 1, 0)
  cache.set('b', 2, 0)
  expect(cache.get('a', 6)).toBe(1)
  expect(cache.get('b', 12)).toBeUndefined()
  expect(cache.get('a', 13)).toBe(1)
  expect(cache.get('a', 30)).toBeUndefined()
})

test('of too many texts those used least recently are forgotten', () => {
  const cache = createTextCache<number>({ maxBytes: 10, weigh })
  cache.set('aa', 1)
  cache.set('bb', 2)
  expect(cache.get('aa')).toBe(1)
  cache.set('cc', 3)
  expect([cache.get('aa'), cache.get('bb'), cache.get('cc')]).toEqual([1, undefined, 3])
})

test('a text that is stored again counts once', () => {
  const cache = createTextCache<number>({ maxBytes: 10, weigh })
  for (const value of [1, 2, 3]) cache.set('aa', value)
  cache.set('bb', 4)
  expect([cache.get('aa'), cache.get('bb')]).toEqual([3, 4])
})

test('a text longer than all that may be kept is not kept', () => {
  const cache = createTextCache<number>({ maxBytes: 10, weigh })
  cache.set('aaaaaa', 1)
  expect(cache.get('aaaaaa')).toBeUndefined()
  cache.set('aa', 2)
  expect(cache.get('aa')).toBe(2)
})

test('a value counts, however short its text is (S10.1262)', () => {
  const cache = createTextCache<string>({ maxBytes: 1000, weigh: bytesOf })
  cache.set('a', 'x'.repeat(400))
  cache.set('b', 'y'.repeat(400))
  expect([cache.get('a'), cache.get('b')?.length]).toEqual([undefined, 400])
  cache.set('c', 'z'.repeat(600))
  expect([cache.get('b'), cache.get('c')]).toEqual([undefined, undefined])
})
