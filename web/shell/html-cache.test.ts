import { expect, test } from 'vitest'
import { createHtmlCache } from './html-cache.ts'

/** Asks for texts of which each has ten characters of HTML; returns those that had to be made. */
function madeBy(cache: ReturnType<typeof createHtmlCache>, texts: string[], now: number): string[] {
  const made: string[] = []
  for (const text of texts)
    cache.get(
      text,
      () => {
        made.push(text)
        return text.repeat(10)
      },
      now,
    )
  return made
}

test('what was not asked for in time is forgotten (S10.1004)', () => {
  const cache = createHtmlCache({ maxLength: 1000, keptMs: 10 })
  expect(madeBy(cache, ['a', 'b', 'a'], 0)).toEqual(['a', 'b'])
  expect(madeBy(cache, ['a'], 6)).toEqual([])
  expect(madeBy(cache, ['c'], 12)).toEqual(['c'])
  expect(cache.length()).toBe(20)
  expect(madeBy(cache, ['a', 'b'], 13)).toEqual(['b'])
})

test('of too much HTML the oldest is forgotten', () => {
  const cache = createHtmlCache({ maxLength: 25, keptMs: 1000 })
  expect(madeBy(cache, ['a', 'b', 'a', 'c'], 0)).toEqual(['a', 'b', 'c'])
  expect(cache.length()).toBe(20)
  expect(madeBy(cache, ['a', 'c', 'b'], 1)).toEqual(['b'])
})

test('HTML longer than the limit is not kept', () => {
  const cache = createHtmlCache({ maxLength: 25, keptMs: 1000 })
  expect(madeBy(cache, ['abc', 'abc'], 0)).toEqual(['abc', 'abc'])
  expect(cache.length()).toBe(0)
})
