import { expect, test } from 'vitest'
import { byCategory, isGrouped, readFilter, writeFilter } from './library-filter.ts'

const read = (search: string) => readFilter(new URLSearchParams(search))

test('the filter is read from the URL, invalid parameters are ignored', () => {
  expect(read('')).toEqual({ view: 'all', sort: 'order', category: null, query: '' })
  expect(read('view=own&sort=uses&category=Код&query=+тест ')).toEqual({
    view: 'own',
    sort: 'uses',
    category: 'Код',
    query: 'тест',
  })
  expect(read('view=everything&sort=price')).toEqual(read(''))
})

test('a filter is written beside other parameters and read back', () => {
  const filter = { view: 'favourites', sort: 'new', category: 'Письма и переписка', query: 'ёлка & сын' } as const
  const written = writeFilter(new URLSearchParams('other=1'), filter)
  expect(written.get('other')).toBe('1')
  expect(readFilter(written)).toEqual(filter)
  expect(writeFilter(written, read('')).toString()).toBe('other=1')
})

test('cards are grouped only when they are sorted by category', () => {
  expect(isGrouped(read(''))).toBe(true)
  for (const search of ['sort=new', 'category=Код', 'query=x']) expect(isGrouped(read(search))).toBe(false)
  const cards = ['А', 'А', 'Б', 'А'].map((category, id) => ({ id, category }))
  expect(byCategory(cards).map(({ category, prompts }) => [category, prompts.map(({ id }) => id)])).toEqual([
    ['А', [0, 1]],
    ['Б', [2]],
    ['А', [3]],
  ])
})
