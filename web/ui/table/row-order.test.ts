import { expect, test } from 'vitest'
import { dropIndexAt, isSameOrder, mergeOrder, moveBy, moveTo } from './row-order.ts'

const ids = ['a', 'b', 'c', 'd']

test('a row moves to its drop position', () => {
  expect(moveTo(ids, 'a', 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moveTo(ids, 'd', 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moveTo(ids, 'b', 1)).toEqual(ids)
})

test('the keyboard moves a row by steps and never past the ends', () => {
  expect(moveBy(ids, 'b', 1)).toEqual(['a', 'c', 'b', 'd'])
  expect(moveBy(ids, 'b', -1)).toEqual(['b', 'a', 'c', 'd'])
  expect(moveBy(ids, 'a', -1)).toEqual(ids)
  expect(moveBy(ids, 'd', 5)).toEqual(ids)
})

test('reordering a filtered list does not move hidden rows', () => {
  expect(mergeOrder(['a', 'x', 'b', 'y', 'c'], ['c', 'a', 'b'])).toEqual(['c', 'x', 'a', 'y', 'b'])
  expect(mergeOrder(ids, ['d', 'c', 'b', 'a'])).toEqual(['d', 'c', 'b', 'a'])
})

test('the drop position follows the rows above the pointer', () => {
  const middles = [20, 60, 100]
  expect(dropIndexAt(5, middles)).toBe(0)
  expect(dropIndexAt(61, middles)).toBe(2)
  expect(dropIndexAt(500, middles)).toBe(3)
})

test('the same order is recognised', () => {
  expect(isSameOrder(ids, [...ids])).toBe(true)
  expect(isSameOrder(ids, moveBy(ids, 'a', 1))).toBe(false)
})
