import { expect, test } from 'vitest'
import { searchWords } from './search-words.ts'

test('words are taken apart from signs, in small letters and without ё', () => {
  expect(searchWords("  Как  СЧЁТ, 'баланс' & | !:* (x) ")).toEqual(['(как)', '(счет:*)', '(баланс:*)', '(x)'])
  expect(searchWords(' !? ')).toEqual([])
})

test('nouns that lose or gain a vowel are looked for in both shapes', () => {
  expect(searchWords('деньгами')).toEqual(['(деньгами:* | денег:*)'])
  expect(searchWords('писем')).toEqual(['(писем:* | письм:*)'])
  expect(searchWords('подписку')).toEqual(['(подписку:* | подписок:*)'])
  expect(searchWords('ссылок')).toEqual(['(ссылок:* | ссылк:*)'])
})

test('an order is looked for by its stem', () => {
  expect(searchWords('проверьте скачайте')).toEqual(['(провер:*)', '(скача:*)'])
})

test('a novel instead of a question is cut', () => {
  expect(searchWords('слово '.repeat(30))).toHaveLength(12)
})
