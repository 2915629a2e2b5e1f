import { expect, test } from 'vitest'
import { Search } from '#web/ui/icons.ts'
import { itemAfterKey } from './palette-items.ts'

const items = ['a', 'b', 'c'].map((id) => ({ id, Icon: Search, title: [], fragment: [], note: '', run: () => {} }))
const step = (from: string | undefined, key: string) => itemAfterKey(items, from, key)?.id

test('arrow keys move through all sections and wrap around', () => {
  expect(step('a', 'ArrowDown')).toBe('b')
  expect(step('c', 'ArrowDown')).toBe('a')
  expect(step('b', 'ArrowUp')).toBe('a')
  expect(step('a', 'ArrowUp')).toBe('c')
})

test('Home and End move to the ends', () => {
  expect(step('b', 'Home')).toBe('a')
  expect(step('b', 'End')).toBe('c')
})

test('arrow keys start at an end when no item is active', () => {
  expect(step(undefined, 'ArrowDown')).toBe('a')
  expect(step(undefined, 'ArrowUp')).toBe('c')
  expect(step('a', 'x')).toBeUndefined()
  expect(itemAfterKey([], undefined, 'ArrowDown')).toBeUndefined()
})
