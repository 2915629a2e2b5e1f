import { expect, test } from 'vitest'
import { readState } from '#web/lib/url-state.ts'
import { exportAddress, isOrderable, nextSort, promptTableParams } from './table-filter.ts'

const read = (search: string) => readState(promptTableParams, new URLSearchParams(search))

test.each([
  ['uses', ['-uses', 'uses', 'order']],
  ['title', ['title', '-title', 'order']],
])('a header sorts both ways and then restores the manual order: %s', (id, expected) => {
  const first = nextSort('order', id)
  const second = nextSort(first, id)
  expect([first, second, nextSort(second, id)]).toEqual(expected)
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
