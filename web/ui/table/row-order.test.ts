import { expect, test } from 'vitest'
import { isSameOrder, mergeOrder, moveBy, placeAt, placeUnder } from './row-order.ts'

const ids = ['a', 'b', 'c', 'd']

test('a row moves to its drop position', () => {
  expect(placeAt(ids, 'a', 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(placeAt(ids, 'd', 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(placeAt(ids, 'b', 1)).toEqual(ids)
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

test('the drop position is after the rows whose middle is above the pointer', () => {
  const middles = [20, 60, 100]
  expect(placeUnder(5, middles)).toBe(0)
  expect(placeUnder(61, middles)).toBe(2)
  expect(placeUnder(500, middles)).toBe(3)
})

test('the same order is recognised', () => {
  expect(isSameOrder(ids, [...ids])).toBe(true)
  expect(isSameOrder(ids, moveBy(ids, 'a', 1))).toBe(false)
})
