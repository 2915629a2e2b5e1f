import { describe, expect, test } from 'vitest'
import { editDistance, findCorrections, formsOf, otherLayout, wordsOf } from './words.ts'

test('a query is split into lower-case words without «ё» and punctuation', () => {
  expect(wordsOf("  Счёт, 'баланс' & | !:* (x_1) COVID-19 ")).toEqual(['счет', 'баланс', 'x', '1', 'covid', '19'])
  expect(wordsOf(' !? \\ ')).toEqual([])
  expect(wordsOf('е\u0308лка')).toEqual(['елка'])
  expect(wordsOf('слово '.repeat(50))).toHaveLength(12)
})

describe('a fleeting vowel', () => {
  test.each([
    ['ссылок', 'ссылк'],
    ['ссылка', 'ссылок'],
    ['список', 'списк'],
    ['списками', 'список'],
    ['настроек', 'настройк'],
    ['настройки', 'настроек'],
    ['писем', 'письм'],
    ['письма', 'писем'],
    ['денег', 'деньг'],
    ['деньгами', 'денег'],
    ['уровень', 'уровн'],
    ['уровня', 'уровен'],
    ['владелец', 'владельц'],
    ['владельцы', 'владелец'],
  ])('«%s» has the form «%s»', (word, form) => {
    expect(formsOf(word)).toContain(form)
    expect(formsOf(word)[0]).toBe(word)
  })

  test.each(['игра', 'Игорь', 'норма', 'форма', 'сумма', 'договоры', 'python', 'и', '42'])(
    '«%s» has no other form',
    (word) => expect(formsOf(word)).toEqual([word]),
  )
})

test('the same keys in the other layout', () => {
  expect(otherLayout('ljujdjh')).toBe('договор')
  expect(otherLayout('Hf,jnf')).toBe('работа')
  expect(otherLayout('знерщт')).toBe('python')
  expect(otherLayout('договор python')).toBeNull()
  expect(otherLayout('42')).toBeNull()
})

test.each([
  ['договор', 'договор', 0],
  ['дагавор', 'договор', 1],
  ['догвоор', 'договор', 1],
  ['договр', 'договор', 1],
  ['счот', 'счет', 0.5],
  ['кот', 'кит', 1],
  ['', 'год', 3],
])('from «%s» to «%s» the distance is %d', (a, b, far) => {
  expect(editDistance(a, b)).toBe(far)
  expect(editDistance(b, a)).toBe(far)
})

const known = ['договор', 'разговор', 'программ', 'молок', 'год', 'документ']

test('corrections are the nearest known words, except for short words', () => {
  expect(findCorrections('дагавор', known, false)).toEqual(['договор'])
  expect(findCorrections('програм', known, false)).toEqual(['программ'])
  expect(findCorrections('гад', known, false)).toEqual([])
  expect(findCorrections('бегемот', known, false)).toEqual([])
})

test('an incomplete word is corrected too', () => {
  expect(findCorrections('дакум', known, true)).toEqual(['документ'])
  expect(findCorrections('дакум', known, false)).toEqual([])
})
