import { expect, test } from 'vitest'
import { searchWords } from './search.ts'

test('words are split at punctuation, in lower case and without ё', () => {
  expect(searchWords("  Как  СЧЁТ, 'баланс' & | !:* (x) ")).toEqual(['(как)', '(счет:*)', '(баланс:*)', '(x)'])
  expect(searchWords(' !? ')).toEqual([])
})

test('nouns with a fleeting vowel are searched in both forms', () => {
  expect(searchWords('деньгами')).toEqual(['(деньгами:* | денег:*)'])
  expect(searchWords('писем')).toEqual(['(писем:* | письм:*)'])
  expect(searchWords('подписку')).toEqual(['(подписку:* | подписок:*)'])
  expect(searchWords('ссылок')).toEqual(['(ссылок:* | ссылк:*)'])
})

test('an imperative is searched by its stem', () => {
  expect(searchWords('проверьте скачайте')).toEqual(['(провер:*)', '(скача:*)'])
})

test('a very long query is cut', () => {
  expect(searchWords('слово '.repeat(30))).toHaveLength(12)
})
