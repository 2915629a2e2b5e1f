import { expect, test } from 'vitest'
import { otherLayout, rank } from './ranking.ts'

const pages = [
  { title: 'Чаты', words: 'беседы переписка' },
  { title: 'Новый чат' },
  { title: 'Профиль', words: 'аккаунт настройки' },
  { title: 'Способы входа', words: 'вход профиль' },
  { title: 'Тёмная тема' },
]
const found = (query: string) => rank(pages, query).map(({ title }) => title)

test('the beginning of the title wins over the beginning of a later word, and that over another name', () => {
  expect(found('чат')).toEqual(['Чаты', 'Новый чат'])
  expect(found('профиль')).toEqual(['Профиль', 'Способы входа'])
  expect(found('беседы')).toEqual(['Чаты'])
})

test('every word that was typed must fit, in any order and case', () => {
  expect(found('ЧАТ нов')).toEqual(['Новый чат'])
  expect(found('новый профиль')).toEqual([])
})

test('the letters е and ё are one', () => {
  expect(found('темная')).toEqual(['Тёмная тема'])
  expect(found('тёмная')).toEqual(['Тёмная тема'])
})

test('what was typed with the other layout on is understood', () => {
  expect(otherLayout('ghjabkm')).toBe('профиль')
  expect(otherLayout('цщкв')).toBe('word')
  expect(found('ghjabkm')).toEqual(['Профиль', 'Способы входа'])
  expect(found(',tctls')).toEqual(['Чаты'])
})

test('the middle of a word is not its beginning, and nothing typed finds nothing', () => {
  expect(found('филь')).toEqual([])
  expect(found('')).toEqual([])
  expect(found('  ')).toEqual([])
})
