import { expect, test } from 'vitest'
import { BY_HAND, pickRows } from './local-list.tsx'

const rows = [
  { name: 'Про', price: 2990 },
  { name: 'Старт', price: 990 },
  { name: 'Старт для учителей', price: 490 },
]
const local = { words: (row: (typeof rows)[0]) => row.name, value: (row: (typeof rows)[0]) => row.price }
const names = (query: string, sort: string) => pickRows(rows, { query, sort }, local).map(({ name }) => name)

test('the manual order is left unchanged', () => {
  expect(names('', BY_HAND)).toEqual(['Про', 'Старт', 'Старт для учителей'])
})

test('every search word must be there, in any case and order', () => {
  expect(names('учит старт', BY_HAND)).toEqual(['Старт для учителей'])
  expect(names('СТАРТ', 'price')).toEqual(['Старт для учителей', 'Старт'])
  expect(names('нет такого', BY_HAND)).toEqual([])
})

test('the chips filter further', () => {
  const cheap = { ...local, fits: ({ price }: (typeof rows)[0]) => price < 1000 }
  expect(pickRows(rows, { query: '', sort: BY_HAND }, cheap)).toEqual(rows.slice(1))
})
