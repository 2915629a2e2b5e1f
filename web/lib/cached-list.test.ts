import { expect, test } from 'vitest'
import { sortByIds, withChange } from './cached-list.ts'

const items = [
  { id: 'a', name: 'А', position: 5 },
  { id: 'b', name: 'Б', position: 9 },
  { id: 'c', name: 'В', position: 9 },
]

test('a list takes its new order and positions', () => {
  expect(sortByIds(items, ['c', 'a', 'b']).map(({ id, position }) => [id, position])).toEqual([
    ['c', 0],
    ['a', 1],
    ['b', 2],
  ])
})

test('rows outside the order are not lost', () => {
  expect(sortByIds(items, ['b', 'a']).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
})

test('a change affects only its row', () => {
  const changed = withChange(items, 'b', { name: 'Иначе' })
  expect(changed.map(({ name }) => name)).toEqual(['А', 'Иначе', 'В'])
  expect(items[1]?.name).toBe('Б')
})
