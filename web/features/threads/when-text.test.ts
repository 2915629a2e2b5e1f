import { expect, test } from 'vitest'
import { whenText } from './when-text.ts'

const now = new Date(2026, 9, 20, 0, 30)
const said = (...moment: [number, number, number, number, number]) => whenText(new Date(...moment).toISOString(), now)

test('today is told by the hour, yesterday by its name, earlier by the date', () => {
  expect(said(2026, 9, 20, 0, 5)).toBe('00:05')
  expect(said(2026, 9, 19, 23, 59)).toBe('вчера')
  expect(said(2026, 9, 18, 23, 59)).toBe('18 октября')
  expect(said(2025, 9, 18, 12, 0)).toContain('2025')
})
