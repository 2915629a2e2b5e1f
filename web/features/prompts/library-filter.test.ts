import { expect, test } from 'vitest'
import { readState } from '#web/lib/url-state.ts'
import { byCategory, isGrouped, libraryParams, toLibraryQuery } from './library-filter.ts'

const read = (search: string) => readState(libraryParams, new URLSearchParams(search))

test('the URL becomes a query, invalid parameters are ignored', () => {
  const all = { view: 'all', sort: 'order' }
  expect(toLibraryQuery(read(''))).toEqual(all)
  expect(toLibraryQuery(read('view=everything&sort=price'))).toEqual(all)
  expect(toLibraryQuery(read('view=own&sort=uses&category=Код&query=+тест '))).toEqual({
    view: 'own',
    sort: 'uses',
    category: 'Код',
    query: 'тест',
  })
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
