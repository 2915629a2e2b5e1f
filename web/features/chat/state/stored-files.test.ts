import { expect, test } from 'vitest'
import { areAttachments } from './stored-files.ts'

test('attachments are a list of files with their shown fields', () => {
  const file = { id: 'f', kind: 'image', name: 'a.png', mime: 'image/png', bytes: 1, state: 'ready', progress: 100 }
  const stored = { ...file, error: null, symbols: null, createdAt: '2026-01-01T00:00:00.000Z' }
  expect(areAttachments([])).toBe(true)
  expect(areAttachments([stored])).toBe(true)
  for (const value of [null, {}, 'files', [null], [file], [stored, { ...stored, name: 5 }]])
    expect(areAttachments(value)).toBe(false)
})
