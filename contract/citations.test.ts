import { expect, test } from 'vitest'
import { citedNumbers } from './citations.ts'

test.each([
  ['Так [1], и так [2, 3] или [4,5].', [1, 2, 3, 4, 5]],
  ['[12 , 7]', [12, 7]],
  ['[1', []],
  ['[1, x] и [] и [1,]', []],
  ['[[6]]', [6]],
])('%j cites %j', (text, numbers) => {
  expect([...citedNumbers(text)]).toEqual(numbers)
})

test('a list that never ends is read once (S10.521)', () => {
  const started = performance.now()
  expect(citedNumbers(`[${'1,'.repeat(50_000)}x [2]`)).toEqual(new Set([2]))
  expect(performance.now() - started).toBeLessThan(500)
})
