import { expect, test } from 'vitest'
import { moveInList } from './list-keys.ts'

test('arrow keys wrap around at the ends of a list', () => {
  expect(moveInList('ArrowDown', 0, 3)).toBe(1)
  expect(moveInList('ArrowDown', 2, 3)).toBe(0)
  expect(moveInList('ArrowUp', 0, 3)).toBe(2)
  expect(moveInList('End', 0, 3)).toBe(2)
})

test('other keys and empty lists change nothing', () => {
  expect(moveInList('a', 0, 3)).toBeNull()
  expect(moveInList('ArrowDown', 0, 0)).toBeNull()
})
