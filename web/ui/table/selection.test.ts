import { expect, test } from 'vitest'
import { nothingSelected, selectionState, toggleAll, togglePage, toggleRow } from './selection.ts'

const list = ['a', 'b', 'c', 'd']
const ids = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort()

test('a row is ticked and unticked', () => {
  const one = toggleRow(nothingSelected, 'b', list, false)
  expect(ids(one)).toEqual(['b'])
  expect(ids(toggleRow(one, 'b', list, false))).toEqual([])
})

test('Shift changes all rows between, in either direction', () => {
  const one = toggleRow(nothingSelected, 'c', list, false)
  expect(ids(toggleRow(one, 'a', list, true))).toEqual(['a', 'b', 'c'])
  const all = toggleAll(nothingSelected, list)
  const without = toggleRow(all, 'b', list, false)
  expect(ids(toggleRow(without, 'd', list, true))).toEqual(['a'])
})

test('the head box ticks all rows, or unticks them all', () => {
  expect(selectionState(nothingSelected, list)).toBe('none')
  const some = toggleRow(nothingSelected, 'a', list, false)
  expect(selectionState(some, list)).toBe('some')
  const all = toggleAll(some, list)
  expect(selectionState(all, list)).toBe('all')
  expect(toggleAll(all, list)).toBe(nothingSelected)
  expect(selectionState(all, [])).toBe('none')
})

test('the head box leaves rows of other pages ticked', () => {
  const other = toggleRow(nothingSelected, 'z', ['z'], false)
  const both = togglePage(other, list)
  expect(ids(both)).toEqual([...list, 'z'])
  expect(ids(togglePage(both, list))).toEqual(['z'])
})
