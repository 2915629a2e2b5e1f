import { expect, test } from 'vitest'
import { sends } from './enter-key.ts'

const enter = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 }
const usual = { enterSends: true, isTouch: false }

test('Enter sends and Shift + Enter breaks the line', () => {
  expect(sends(enter, usual)).toBe(true)
  expect(sends({ ...enter, shiftKey: true }, usual)).toBe(false)
})

test('the setting swaps them', () => {
  const swapped = { ...usual, enterSends: false }
  expect(sends(enter, swapped)).toBe(false)
  expect(sends({ ...enter, shiftKey: true }, swapped)).toBe(true)
})

test('on a phone Enter breaks the line, whatever the setting', () => {
  expect(sends(enter, { enterSends: true, isTouch: true })).toBe(false)
  expect(sends(enter, { enterSends: false, isTouch: true })).toBe(false)
})

test('with Ctrl or ⌘ it always sends', () => {
  expect(sends({ ...enter, ctrlKey: true }, { enterSends: false, isTouch: true })).toBe(true)
  expect(sends({ ...enter, metaKey: true }, { enterSends: false, isTouch: false })).toBe(true)
})

test('a word that is being composed is not sent', () => {
  expect(sends({ ...enter, isComposing: true }, usual)).toBe(false)
  expect(sends({ ...enter, keyCode: 229 }, usual)).toBe(false)
})
