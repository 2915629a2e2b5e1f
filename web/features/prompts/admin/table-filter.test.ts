import { expect, test } from 'vitest'
import {
  exportAddress,
  isOrderable,
  nextSort,
  readAdminFilter,
  toAdminQuery,
  writeAdminFilter,
} from './table-filter.ts'

const read = (search: string) => readAdminFilter(new URLSearchParams(search))

test('the filter is read from the URL, invalid parameters are ignored', () => {
  expect(read('')).toMatchObject({ state: 'all', category: null, query: '', sort: 'order', page: 1, size: 50 })
  expect(read('state=trash&sort=-uses&page=3&size=200&category=Код&query=x')).toEqual({
    state: 'trash',
    category: 'Код',
    query: 'x',
    sort: 'uses',
    isDescending: true,
    page: 3,
    size: 200,
  })
  expect(read('state=x&sort=shareId&page=-1&size=7')).toEqual(read(''))
})

test('a filter in the URL is read back, without defaults', () => {
  for (const search of ['', 'state=published&query=%D1%91', 'sort=-title&page=2', 'sort=updatedAt&size=100']) {
    expect(writeAdminFilter(read(search)).toString()).toBe(search)
  }
})

test('a header sorts both ways and then restores the manual order', () => {
  const sorts = [read('')]
  for (let i = 0; i < 3; i++) sorts.push({ ...read(''), ...nextSort(sorts.at(-1) ?? read(''), 'uses') })
  expect(sorts.map((filter) => toAdminQuery(filter).sort)).toEqual(['order', '-uses', 'uses', 'order'])
  expect(nextSort(read('page=4'), 'title')).toEqual({ sort: 'title', isDescending: false, page: 1 })
})

test('rows can be moved only in the manual order', () => {
  expect(isOrderable(read(''))).toBe(true)
  expect(isOrderable(read('sort=title'))).toBe(false)
  expect(isOrderable(read('state=trash'))).toBe(false)
})

test('an export has the filter of the table and all its pages', () => {
  expect(exportAddress(read('state=published&page=3&sort=title&query=a b'), 'csv')).toBe(
    '/api/prompts/export?format=csv&state=published&query=a+b',
  )
})
