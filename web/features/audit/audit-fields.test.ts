import { expect, test } from 'vitest'
import { differences } from './audit-fields.ts'

const plain = (text: string | null) => text?.replace(/\s/g, ' ') ?? null
const told = (...args: Parameters<typeof differences>) =>
  differences(...args).map(({ label, before, after }) => [label, plain(before), plain(after)])

test('a change reads as what was and what is', () => {
  expect(told('plan', { price: 990, active: true }, { price: 1290, active: false })).toEqual([
    ['Цена', '9,9', '12,9'],
    ['В продаже', 'да', 'нет'],
  ])
})

test('money says its currency where the row knows it', () => {
  expect(told('plan', null, { price: 990, currency: 'BYN', symbols: 500_000 })).toEqual([
    ['Цена', null, '9,90 BYN'],
    ['Валюта', null, 'BYN'],
    ['Символы', null, '500 000'],
  ])
})

test('the same field has the name its noun needs', () => {
  expect(told('user', { name: 'Анна' }, { name: 'Яна' })).toEqual([['Имя', 'Анна', 'Яна']])
  expect(told('model', { name: 'А' }, { name: 'Б' })[0]?.[0]).toBe('Название')
})

test('roles, states and moments are words; what is unknown stays as it is', () => {
  expect(told('user', { role: 'user', banExpires: null }, { role: 'admin', banExpires: 'x' })).toEqual([
    ['Роль', 'пользователь', 'администратор'],
    ['Блокировка до', 'нет', 'x'],
  ])
  expect(told('order', { status: 'paid', extra: { a: 1 } }, null)).toEqual([
    ['Состояние', 'оплачен', null],
    ['extra', '{"a":1}', null],
  ])
  expect(told('promo', null, { expiresAt: '2026-11-15T09:00:00.000Z' })[0]?.[2]).toMatch(/15 ноября 2026/)
})

test('a long list is cut, and says by how much', () => {
  const titles = Array.from({ length: 23 }, (_, n) => `П${n}`)
  expect(told('prompt', null, { titles })[0]?.[2]).toMatch(/П19 и ещё 3$/)
  expect(told('prompt', null, { titles: [] })[0]?.[2]).toBe('нет')
})
