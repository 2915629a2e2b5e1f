import { expect, test } from 'vitest'
import { worthLabel } from './worth-label.ts'

const text = (symbols: number, exchange: number | null, image: number | null) =>
  worthLabel(symbols, { exchange, image })?.replace(/\s/g, ' ')

test('symbols are shown as answers and images, rounded down to two digits', () => {
  expect(text(500_000, 830, 2000)).toBe('≈ 600 ответов или 250 картинок')
  expect(text(2_000_000, 830, 2000)).toBe('≈ 2 400 ответов или 1 000 картинок')
  expect(text(2100, 1000, 2000)).toBe('≈ 2 ответа или 1 картинка')
})

test('what is not known or not enough for one is left out', () => {
  expect(text(500_000, null, 2000)).toBe('≈ 250 картинок')
  expect(text(1000, 830, 2000)).toBe('≈ 1 ответ')
  expect(text(500, 830, null)).toBeUndefined()
  expect(text(500_000, null, null)).toBeUndefined()
})
