import { expect, test } from 'vitest'
import { otherLayout, rank } from './ranking.ts'

const pages = [
  { title: 'Чаты', keywords: 'беседы переписка' },
  { title: 'Новый чат' },
  { title: 'Профиль', keywords: 'аккаунт настройки' },
  { title: 'Способы входа', keywords: 'вход профиль' },
  { title: 'Тёмная тема' },
]
const found = (query: string) => rank(pages, query).map(({ title }) => title)

test('the title ranks over its later words, these over alternative names', () => {
  expect(found('чат')).toEqual(['Чаты', 'Новый чат'])
  expect(found('профиль')).toEqual(['Профиль', 'Способы входа'])
  expect(found('беседы')).toEqual(['Чаты'])
})

test('every typed word must match, in any order and case', () => {
  expect(found('ЧАТ нов')).toEqual(['Новый чат'])
  expect(found('новый профиль')).toEqual([])
})

test('the characters е and ё are equal', () => {
  expect(found('темная')).toEqual(['Тёмная тема'])
  expect(found('тёмная')).toEqual(['Тёмная тема'])
})

test('text typed with the wrong keyboard layout is understood', () => {
  expect(otherLayout('ghjabkm')).toBe('профиль')
  expect(otherLayout('цщкв')).toBe('word')
  expect(found('ghjabkm')).toEqual(['Профиль', 'Способы входа'])
  expect(found(',tctls')).toEqual(['Чаты'])
})

test('the middle of a word and an empty query find nothing', () => {
  expect(found('филь')).toEqual([])
  expect(found('')).toEqual([])
  expect(found('  ')).toEqual([])
})
