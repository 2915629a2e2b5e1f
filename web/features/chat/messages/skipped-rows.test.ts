import { expect, test, vi } from 'vitest'
import { estimateRowHeight, lastOnScreen } from './skipped-rows.ts'

const height = (content: string) => estimateRowHeight({ content, files: [] })

test('a longer text has a larger height', () => {
  expect(height('а'.repeat(1000))).toBeGreaterThan(height('а'.repeat(100)))
  expect(height('а\nа\nа\nа')).toBeGreaterThan(height('аааа'))
})

test('a line is as long as the column is wide', () => {
  const one = height('а'.repeat(80))
  expect(height('а'.repeat(160)) - one).toBe(25)
})

test('messages that fill the window are rendered in full (S10.729)', () => {
  vi.stubGlobal('innerHeight', 800)
  const rows = (...contents: string[]) => contents.map((content) => ({ content, files: [] }))
  const short = rows(...Array.from({ length: 30 }, () => 'Да'))
  const shown = lastOnScreen(short)
  expect(shown.length).toBeGreaterThan(8)
  expect(shown.length).toBeLessThan(14)
  expect(lastOnScreen(rows('а', 'б', 'в'.repeat(9000)))).toHaveLength(2)
  expect(lastOnScreen(rows('а'))).toHaveLength(1)
  expect(lastOnScreen([])).toEqual([])
  vi.unstubAllGlobals()
})
