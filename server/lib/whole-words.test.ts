import { expect, test } from 'vitest'
import { cutAtWord, withoutDanglingEnd } from './whole-words.ts'

test.each([
  ['Привет! Составь план поездки в', 'Привет! Составь план поездки'],
  ['Сравни Минск и', 'Сравни Минск'],
  ['Что делать, если', 'Что делать'],
  ['Покажи, как это', 'Покажи'],
  ['Витамин С', 'Витамин С'],
  ['Для чего нужен залог', 'Для чего нужен залог'],
  ['в', 'в'],
])('«%s» ends as «%s» (S10.213)', (text, whole) => {
  expect(withoutDanglingEnd(text)).toBe(whole)
})

test('a cut text is within its limit, with whole words and ellipsis (S10.213)', () => {
  expect(cutAtWord('Короткое', 20)).toBe('Короткое')
  expect(cutAtWord('Поездка на море и в горы', 20)).toBe('Поездка на море…')
  expect(cutAtWord('Поездка на море, потом домой', 16)).toBe('Поездка на море…')
  expect(cutAtWord('я'.repeat(30), 10)).toBe(`${'я'.repeat(9)}…`)
})
