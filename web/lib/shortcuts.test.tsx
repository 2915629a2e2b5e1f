import { expect, test } from 'vitest'
import { isShortcut, shortcutKeys } from './shortcuts.ts'

const press = (change: Partial<KeyboardEvent>) => ({
  code: '',
  key: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...change,
})

test('a shortcut is its key with exactly its modifiers, in any layout (S10.215)', () => {
  expect(isShortcut('search', press({ code: 'KeyK', key: 'л', ctrlKey: true }))).toBe(true)
  expect(isShortcut('search', press({ code: 'KeyK', metaKey: true }))).toBe(true)
  expect(isShortcut('search', press({ code: 'KeyK', ctrlKey: true, shiftKey: true }))).toBe(false)
  expect(isShortcut('search', press({ code: 'KeyK' }))).toBe(false)
  expect(isShortcut('newChat', press({ code: 'KeyO', ctrlKey: true, shiftKey: true }))).toBe(true)
  expect(isShortcut('newChat', press({ code: 'KeyO', ctrlKey: true }))).toBe(false)
  expect(isShortcut('keys', press({ code: 'Digit7', key: '?', shiftKey: true }))).toBe(true)
  expect(isShortcut('keys', press({ key: '?', ctrlKey: true }))).toBe(false)
})

test('a shortcut is written as it is pressed', () => {
  expect([shortcutKeys('newChat'), shortcutKeys('search'), shortcutKeys('keys')]).toEqual([
    'Ctrl + Shift + O',
    'Ctrl + K',
    '?',
  ])
})
