import { expect, test } from 'vitest'
import { readReturn } from './decision-dialogs.tsx'

test.each([
  ['100', 100],
  [' 1 0 ', 10],
  ['1\u202f000', 1000],
])('%j is %d symbols', (text, symbols) => {
  expect(readReturn(text, 1000)).toEqual({ symbols, error: null })
})

test.each(['', '0', '-5', '1,5', 'много'])('%j is not a number of symbols', (text) => {
  expect(readReturn(text, 1000)).toEqual({ symbols: null, error: 'Нужно целое число от 1' })
})

test('more than was charged cannot be returned', () => {
  expect(readReturn('1001', 1000).error).toMatch(/Списано было 1.000: больше вернуть нельзя/)
})
