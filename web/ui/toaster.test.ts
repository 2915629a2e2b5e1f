import { expect, test } from 'vitest'
import { toastTop } from './toaster.tsx'

test('toasts begin below the bar and the page title (S10.182)', () => {
  expect(toastTop(0, { top: 40, bottom: 76 })).toBe(88)
  expect(toastTop(56, { top: 10, bottom: 46 })).toBe(68)
  expect(toastTop(56, { top: 80, bottom: 112 })).toBe(124)
})

test('toasts ignore a title that is elsewhere, scrolled away or absent', () => {
  expect(toastTop(56, { top: 240, bottom: 280 })).toBe(68)
  expect(toastTop(56, { top: -90, bottom: -50 })).toBe(68)
  expect(toastTop(0, null)).toBe(12)
})
