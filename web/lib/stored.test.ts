import { expect, test } from 'vitest'
import { areAttachments, fits, readJson } from './stored.ts'

test('stored JSON is read, and what is no JSON is nothing', () => {
  expect(readJson('{"a":1}')).toEqual({ a: 1 })
  for (const text of [null, '', '{', 'undefined']) expect(readJson(text)).toBeNull()
})

test('a value fits when it has the fields, whatever else it has', () => {
  const isNote = (value: unknown) => fits<{ text: string; at: number }>(value, { text: 'string', at: 'number' })
  expect(isNote({ text: 'а', at: 1, more: null })).toBe(true)
  for (const value of [null, 'text', 5, [], {}, { text: 'а' }, { text: 'а', at: '1' }]) expect(isNote(value)).toBe(false)
  expect(fits<{ part: object }>({ part: null }, { part: 'object' })).toBe(false)
})

test('attachments are a list of files, each with what is shown of it', () => {
  const file = { id: 'f', kind: 'image', name: 'a.png', mime: 'image/png', bytes: 1, state: 'ready', progress: 100 }
  const stored = { ...file, error: null, symbols: null, createdAt: '2026-01-01T00:00:00.000Z' }
  expect(areAttachments([])).toBe(true)
  expect(areAttachments([stored])).toBe(true)
  for (const value of [null, {}, 'files', [null], [file], [stored, { ...stored, name: 5 }]])
    expect(areAttachments(value)).toBe(false)
})
