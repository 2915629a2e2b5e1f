import { describe, expect, test } from 'vitest'
import { otherLayout, shapesOf, wordsOf } from './words.ts'

test('a query is taken apart into small letters without «ё» and without signs', () => {
  expect(wordsOf("  Счёт, 'баланс' & | !:* (x_1) COVID-19 ")).toEqual(['счет', 'баланс', 'x', '1', 'covid', '19'])
  expect(wordsOf(' !? \\ ')).toEqual([])
  expect(wordsOf('е\u0308лка')).toEqual(['елка'])
  expect(wordsOf('слово '.repeat(50))).toHaveLength(12)
})

describe('a vowel that comes and goes', () => {
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
  ])('«%s» may also look like «%s»', (word, shape) => {
    expect(shapesOf(word)).toContain(shape)
    expect(shapesOf(word)[0]).toBe(word)
  })

  test.each(['игра', 'Игорь', 'норма', 'форма', 'сумма', 'договоры', 'python', 'и', '42'])(
    '«%s» looks like itself only',
    (word) => expect(shapesOf(word)).toEqual([word]),
  )
})

test('the same keys in the other layout', () => {
  expect(otherLayout('ljujdjh')).toBe('договор')
  expect(otherLayout('Hf,jnf')).toBe('работа')
  expect(otherLayout('знерщт')).toBe('python')
  expect(otherLayout('договор python')).toBeNull()
  expect(otherLayout('42')).toBeNull()
})
