import { expect, test } from 'vitest'
import { hasFields, readJson } from './stored.ts'

test('stored JSON is read, anything else is null', () => {
  expect(readJson('{"a":1}')).toEqual({ a: 1 })
  for (const text of [null, '', '{', 'undefined']) expect(readJson(text)).toBeNull()
})

test('a value fits when it has the fields, and may have others', () => {
  const isNote = (value: unknown) => hasFields<{ text: string; at: number }>(value, { text: 'string', at: 'number' })
  expect(isNote({ text: 'а', at: 1, more: null })).toBe(true)
  for (const value of [null, 'text', 5, [], {}, { text: 'а' }, { text: 'а', at: '1' }])
    expect(isNote(value)).toBe(false)
  expect(hasFields<{ part: object }>({ part: null }, { part: 'object' })).toBe(false)
})
