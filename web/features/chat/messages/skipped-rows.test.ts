import { expect, test } from 'vitest'
import { estimateRowHeight } from './skipped-rows.ts'

const height = (content: string) => estimateRowHeight({ content, files: [] })

test('a longer text has a larger height', () => {
  expect(height('а'.repeat(1000))).toBeGreaterThan(height('а'.repeat(100)))
  expect(height('а\nа\nа\nа')).toBeGreaterThan(height('аааа'))
})

test('a line is as long as the column is wide', () => {
  const one = height('а'.repeat(80))
  expect(height('а'.repeat(160)) - one).toBe(25)
})
