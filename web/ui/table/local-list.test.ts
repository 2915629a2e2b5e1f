import { expect, test } from 'vitest'
import { filterAndSortRows, MANUAL_ORDER } from './local-list.tsx'

const rows = [
  { name: 'Про', price: 2990 },
  { name: 'Старт', price: 990 },
  { name: 'Старт для учителей', price: 490 },
]
const local = { searchText: (row: (typeof rows)[0]) => row.name, sortValue: (row: (typeof rows)[0]) => row.price }
const names = (query: string, sort: string) => filterAndSortRows(rows, { query, sort }, local).map(({ name }) => name)

test('the manual order is left unchanged', () => {
  expect(names('', MANUAL_ORDER)).toEqual(['Про', 'Старт', 'Старт для учителей'])
})

test('every search word must match, in any case and order', () => {
  expect(names('учит старт', MANUAL_ORDER)).toEqual(['Старт для учителей'])
  expect(names('СТАРТ', 'price')).toEqual(['Старт для учителей', 'Старт'])
  expect(names('нет такого', MANUAL_ORDER)).toEqual([])
})

test('the chips filter further', () => {
  const cheap = { ...local, matches: ({ price }: (typeof rows)[0]) => price < 1000 }
  expect(filterAndSortRows(rows, { query: '', sort: MANUAL_ORDER }, cheap)).toEqual(rows.slice(1))
})
