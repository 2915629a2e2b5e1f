import { expect, test } from 'vitest'
import { nothingSelected, type Selection, toggleAll, toggleRow } from './selection.ts'

const list = ['a', 'b', 'c', 'd', 'e']
const ticked = ({ ids }: Selection) => [...ids].sort().join('')

test('a click ticks one row and unticks it again', () => {
  const one = toggleRow(nothingSelected, 'b', list, false)
  expect(ticked(one)).toBe('b')
  expect(ticked(toggleRow(one, 'b', list, false))).toBe('')
})

test('with Shift all rows in between go along, in either direction', () => {
  const from = toggleRow(nothingSelected, 'b', list, false)
  expect(ticked(toggleRow(from, 'd', list, true))).toBe('bcd')
  expect(ticked(toggleRow(from, 'a', list, true))).toBe('ab')
  const all = toggleAll(nothingSelected, list)
  const less = toggleRow(toggleRow(all, 'b', list, false), 'd', list, true)
  expect(ticked(less)).toBe('ae')
})

test('Shift after the former row has left the list ticks just this one', () => {
  const from = toggleRow(nothingSelected, 'b', list, false)
  expect(ticked(toggleRow(from, 'd', ['a', 'c', 'd'], true))).toBe('bd')
})

test('all are ticked at once, and all unticked when they all are', () => {
  const some = toggleRow(nothingSelected, 'b', list, false)
  expect(ticked(toggleAll(some, list))).toBe('abcde')
  expect(ticked(toggleAll(toggleAll(some, list), list))).toBe('')
})
