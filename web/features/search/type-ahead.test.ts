import { expect, test } from 'vitest'
import { typeAhead } from './type-ahead.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false }
const typed = (...keys: string[]) =>
  keys.reduce<string | null>((text, key) => (text === null ? null : typeAhead(text, { key, ...plain })), '')

test('letters typed before the palette is there are kept in order', () => {
  expect(typed('о', 'т', 'п', ' ', '1')).toBe('отп 1')
})

test('a mistake can be taken back, a whole emoji at once', () => {
  expect(typed('о', 'й', 'Backspace')).toBe('о')
  expect(typed('😀', 'Backspace', 'Backspace')).toBe('')
})

test('keys that write nothing add nothing, shortcuts neither', () => {
  expect(typed('о', 'Shift', 'ArrowDown', 'Enter')).toBe('о')
  expect(typeAhead('о', { ...plain, key: 'v', ctrlKey: true })).toBe('о')
})

test('Esc gives up', () => {
  expect(typed('о', 'Escape')).toBeNull()
})
