import { expect, test } from 'vitest'
import { directionOf, nextSort, sortRows } from './sort.ts'

test('a head is clicked from the start, then from the end, then from the start again', () => {
  expect(nextSort('-createdAt', 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBe('name')
})

test('a column knows whether it is the one that sorts', () => {
  expect(directionOf('name', 'name')).toBe('ascending')
  expect(directionOf('-name', 'name')).toBe('descending')
  expect(directionOf('-name', 'createdAt')).toBeNull()
})

const rows = [
  { name: 'яблоко', price: 10 },
  { name: 'Ёлка 10', price: null },
  { name: 'ёлка 2', price: 9 },
]
const sorted = (sort: string) =>
  sortRows(rows, sort, (row, id) => (id === 'name' ? row.name : row.price)).map(({ name }) => name)

test('names go by the Russian alphabet and by number, whatever their case', () => {
  expect(sorted('name')).toEqual(['ёлка 2', 'Ёлка 10', 'яблоко'])
  expect(sorted('-name')).toEqual(['яблоко', 'Ёлка 10', 'ёлка 2'])
})

test('numbers go by their size, and a row without one stands last either way', () => {
  expect(sorted('price')).toEqual(['ёлка 2', 'яблоко', 'Ёлка 10'])
  expect(sorted('-price')).toEqual(['яблоко', 'ёлка 2', 'Ёлка 10'])
})
