import { expect, test } from 'vitest'
import { fragmentOf, markedText, placesOf, wordsBeginning } from './fragment.ts'

const textOf = (pieces: { text: string }[]) => pieces.map(({ text }) => text).join('')
const marking = (text: string, word: string) =>
  wordsBeginning(text, [...word].slice(0, 1)).filter((span) => span.word === word)

test('words are found by their first letter at their places, «ё» and capitals as well', () => {
  const text = 'Ёж и ель, ЕЖИ; неё'
  expect(wordsBeginning(text, ['е']).map(({ start, end, word }) => [text.slice(start, end), word])).toEqual([
    ['Ёж', 'еж'],
    ['ель', 'ель'],
    ['ЕЖИ', 'ежи'],
  ])
  expect(wordsBeginning(text, [])).toEqual([])
})

test('a letter made of two code units is one letter to begin with', () => {
  const text = '𝒳-фактор 𝒳'
  expect(wordsBeginning(text, ['𝒳'])).toHaveLength(2)
})

test('a short text is shown whole, in one line, without the signs of Markdown', () => {
  const text = '## Кот\n\nЭто **кот**:\n`кот` и C# — не кот.'
  expect(textOf(fragmentOf(text, marking(text, 'кот')))).toBe('Кот Это кот: кот и C# — не кот.')
})

test('a long text is cut on both sides and says so', () => {
  const text = `${'слово '.repeat(100)}кот ${'слово '.repeat(100)}`
  const pieces = fragmentOf(text, marking(text, 'кот'))
  expect(pieces.at(0)).toEqual({ text: '…', hit: false })
  expect(pieces.at(-1)).toEqual({ text: '…', hit: false })
  expect(pieces.filter(({ hit }) => hit)).toEqual([{ text: 'кот', hit: true }])
  expect(textOf(pieces).length).toBeLessThan(180)
  expect(textOf(pieces)).toMatch(/^…слово .* слово…$/)
})

test('a place at the very end is shown with what stands before it', () => {
  const text = `${'слово '.repeat(100)}кот`
  expect(textOf(fragmentOf(text, marking(text, 'кот')))).toMatch(/^…(?:слово )+кот$/)
})

test('without a place to show the beginning is shown', () => {
  expect(textOf(fragmentOf('слово '.repeat(100), []))).toMatch(/^слово .*…$/)
})

test('letters are marked wherever they stand in a title, whatever their case', () => {
  expect(markedText('C++ и c++', placesOf('C++ и c++', 'C++'))).toEqual([
    { text: 'C++', hit: true },
    { text: ' и ', hit: false },
    { text: 'c++', hit: true },
  ])
  expect(placesOf('İstanbul', 'стамбул')).toEqual([])
})
