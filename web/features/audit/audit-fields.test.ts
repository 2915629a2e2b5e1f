import { expect, test } from 'vitest'
import { differences } from './audit-fields.ts'

const plain = (text: string | null) => text?.replace(/\s/g, ' ') ?? null
const changes = (...args: Parameters<typeof differences>) =>
  differences(...args).map(({ label, before, after }) => [label, plain(before), plain(after)])

test('a change shows the value before and after', () => {
  expect(changes('plan', { price: 990, active: true }, { price: 1290, active: false })).toEqual([
    ['Цена', '9,9', '12,9'],
    ['В продаже', 'да', 'нет'],
  ])
})

test('money shows the currency of its row', () => {
  expect(changes('plan', null, { price: 990, currency: 'BYN', symbols: 500_000 })).toEqual([
    ['Цена', null, '9,90 BYN'],
    ['Валюта', null, 'BYN'],
    ['Символы', null, '500 000'],
  ])
})

test('a field is named by the kind of its target', () => {
  expect(changes('user', { name: 'Анна' }, { name: 'Яна' })).toEqual([['Имя', 'Анна', 'Яна']])
  expect(changes('model', { name: 'А' }, { name: 'Б' })[0]?.[0]).toBe('Название')
})

test('roles, states and dates are words; unknown values stay unchanged', () => {
  expect(changes('user', { role: 'user', banExpires: null }, { role: 'admin', banExpires: 'x' })).toEqual([
    ['Роль', 'пользователь', 'администратор'],
    ['Блокировка до', 'нет', 'x'],
  ])
  expect(changes('order', { status: 'paid', extra: { a: 1 } }, null)).toEqual([
    ['Состояние', 'оплачен', null],
    ['extra', '{"a":1}', null],
  ])
  expect(changes('promo', null, { expiresAt: '2026-11-15T09:00:00.000Z' })[0]?.[2]).toMatch(/^15\.11\.2026, /)
})

test('a long list is cut and shows how many items are hidden', () => {
  const titles = Array.from({ length: 23 }, (_, n) => `П${n}`)
  expect(changes('prompt', null, { titles })[0]?.[2]).toMatch(/П19 и ещё 3$/)
  expect(changes('prompt', null, { titles: [] })[0]?.[2]).toBe('нет')
})
