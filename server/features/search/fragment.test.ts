import { expect, test } from 'vitest'
import { findSpans, fragmentOf, markedText, wordsBeginning } from './fragment.ts'

const textOf = (fragments: { text: string }[]) => fragments.map(({ text }) => text).join('')
const marking = (text: string, word: string) =>
  wordsBeginning(text, [...word].slice(0, 1)).filter((span) => span.word === word)

test('words are found by their first character, ignoring «ё» and case', () => {
  const text = 'Ёж и ель, ЕЖИ; неё'
  expect(wordsBeginning(text, ['е']).map(({ start, end, word }) => [text.slice(start, end), word])).toEqual([
    ['Ёж', 'еж'],
    ['ель', 'ель'],
    ['ЕЖИ', 'ежи'],
  ])
  expect(wordsBeginning(text, [])).toEqual([])
})

test('a first character of two code units is found', () => {
  const text = '𝒳-фактор 𝒳'
  expect(wordsBeginning(text, ['𝒳'])).toHaveLength(2)
})

test('a short text is shown whole on a line, without Markdown marks', () => {
  const text = '## Кот\n\nЭто **кот**:\n`кот` и C# — не кот.'
  expect(textOf(fragmentOf(text, marking(text, 'кот')))).toBe('Кот Это кот: кот и C# — не кот.')
})

test('a long text is cut on both sides with ellipses', () => {
  const text = `${'слово '.repeat(100)}кот ${'слово '.repeat(100)}`
  const fragments = fragmentOf(text, marking(text, 'кот'))
  expect(fragments.at(0)).toEqual({ text: '…', hit: false })
  expect(fragments.at(-1)).toEqual({ text: '…', hit: false })
  expect(fragments.filter(({ hit }) => hit)).toEqual([{ text: 'кот', hit: true }])
  expect(textOf(fragments).length).toBeLessThan(180)
  expect(textOf(fragments)).toMatch(/^…слово .* слово…$/)
})

test('a match at the end is shown with the text before it', () => {
  const text = `${'слово '.repeat(100)}кот`
  expect(textOf(fragmentOf(text, marking(text, 'кот')))).toMatch(/^…(?:слово )+кот$/)
})

test('without a match the beginning is shown', () => {
  expect(textOf(fragmentOf('слово '.repeat(100), []))).toMatch(/^слово .*…$/)
})

test('characters are marked anywhere in a title, ignoring case', () => {
  expect(markedText('C++ и c++', findSpans('C++ и c++', 'C++'))).toEqual([
    { text: 'C++', hit: true },
    { text: ' и ', hit: false },
    { text: 'c++', hit: true },
  ])
  expect(findSpans('İstanbul', 'стамбул')).toEqual([])
})
