import { expect, test } from 'vitest'
import { citedNumbers } from './citations.ts'
import { longestPause } from './testing/worst-texts.ts'

test.each([
  ['Так [1], и так [2, 3] или [4,5].', [1, 2, 3, 4, 5]],
  ['[12 , 7]', [12, 7]],
  ['[1', []],
  ['[1, x] и [] и [1,]', []],
  ['[[6]]', [6]],
])('%j cites %j', (text, numbers) => {
  expect([...citedNumbers(text)]).toEqual(numbers)
})

test('a list that never ends is read once (S10.521)', async () => {
  const text = `[${'1,'.repeat(50_000)}x [2]`
  expect(citedNumbers(text)).toEqual(new Set([2]))
  expect(await longestPause(() => citedNumbers(text))).toBeLessThan(500)
})
