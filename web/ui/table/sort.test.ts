import { expect, test } from 'vitest'
import { directionOf, nextSort, sortRows } from './sort.ts'

test('clicking a header sorts ascending, then descending, then ascending again', () => {
  expect(nextSort('-createdAt', 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBe('name')
})

test('the direction is known only for the sorted column', () => {
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

test('names are sorted by the Russian alphabet and by number, ignoring case', () => {
  expect(sorted('name')).toEqual(['ёлка 2', 'Ёлка 10', 'яблоко'])
  expect(sorted('-name')).toEqual(['яблоко', 'Ёлка 10', 'ёлка 2'])
})

test('numbers are sorted by value, empty rows always last', () => {
  expect(sorted('price')).toEqual(['ёлка 2', 'яблоко', 'Ёлка 10'])
  expect(sorted('-price')).toEqual(['яблоко', 'ёлка 2', 'Ёлка 10'])
})
