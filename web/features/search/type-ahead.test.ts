import { expect, test } from 'vitest'
import { typeAhead } from './type-ahead.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false }
const typed = (...keys: string[]) =>
  keys.reduce<string | null>((text, key) => (text === null ? null : typeAhead(text, { key, ...plain })), '')

test('characters typed before the palette is loaded are stored in order', () => {
  expect(typed('о', 'т', 'п', ' ', '1')).toBe('отп 1')
})

test('Backspace removes a character, an emoji as a whole', () => {
  expect(typed('о', 'й', 'Backspace')).toBe('о')
  expect(typed('😀', 'Backspace', 'Backspace')).toBe('')
})

test('control keys and shortcuts add nothing', () => {
  expect(typed('о', 'Shift', 'ArrowDown', 'Enter')).toBe('о')
  expect(typeAhead('о', { ...plain, key: 'v', ctrlKey: true })).toBe('о')
})

test('Esc cancels', () => {
  expect(typed('о', 'Escape')).toBeNull()
})
