import { expect, test } from 'vitest'
import { drawings } from './glyph.tsx'

test.each(Object.entries(drawings))('one symbol of the drawing «%s» counts (S10.1533)', (_name, rows) => {
  expect([...rows.join('')].filter((mark) => mark === '@')).toHaveLength(1)
  expect(new Set(rows.map((row) => row.length)).size).toBe(1)
})
