import { expect, test } from 'vitest'
import { choiceParam, filled, optionParam, readState, tableParams, writeState } from './url-state.ts'

const spec = {
  ...tableParams(['name', 'createdAt'], '-createdAt'),
  state: choiceParam(['live', 'off']),
  view: optionParam(['all', 'trash']),
}
const read = (search: string) => readState(spec, new URLSearchParams(search))

test('an address without a query is the default table', () => {
  expect(read('')).toEqual({ query: '', sort: '-createdAt', page: 1, size: 50, state: null, view: 'all' })
})

test('everything of a table is read from its address', () => {
  expect(read('?query=весна&sort=name&page=3&size=20&state=off&view=trash')).toEqual({
    query: 'весна',
    sort: 'name',
    page: 3,
    size: 20,
    state: 'off',
    view: 'trash',
  })
})

test.each([
  'page=0',
  'page=-2',
  'page=x',
  'page=1.5',
  'size=1',
  'size=5000',
  'sort=password',
  'sort=--name',
  'state=all',
  'view=bin',
])('an invalid address is the default: %s', (search) => {
  expect(read(`?${search}`)).toEqual(read(''))
})

test('defaults are not written, and other parameters stay', () => {
  const now = new URLSearchParams('tab=codes&sort=name&state=off&view=trash')
  const next = writeState(spec, now, { sort: '-createdAt', state: null, view: 'all' })
  expect(next.toString()).toBe('tab=codes')
})

test('another filter begins at the first page, another page keeps the filter', () => {
  const now = new URLSearchParams('page=4&state=off')
  expect(writeState(spec, now, { query: ' код ' }).toString()).toBe(
    new URLSearchParams({ state: 'off', query: 'код' }).toString(),
  )
  expect(writeState(spec, now, { page: 5 }).toString()).toBe('page=5&state=off')
})

test('a written state is read back', () => {
  const state = { query: 'а & б', sort: '-name', page: 7, size: 100, state: 'live', view: 'trash' } as const
  expect(readState(spec, writeState(spec, new URLSearchParams(), state))).toEqual(state)
})

test('a query has no empty parameters', () => {
  expect(filled(read('?page=2&view=trash'))).toEqual({ sort: '-createdAt', page: 2, size: 50, view: 'trash' })
})
