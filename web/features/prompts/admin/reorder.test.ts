import { expect, test } from 'vitest'
import { findMove, isNeighbour, withMove } from './reorder.ts'

const row = (id: string, category = 'К', canEdit = true) => ({ id, category, canEdit })
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).join('')

test('a row moves before or after another, the rest keep their order', () => {
  const rows = [row('a'), row('b'), row('c')]
  expect(ids(withMove(rows, { id: 'c', anchorId: 'a', side: 'before' }))).toBe('cab')
  expect(ids(withMove(rows, { id: 'a', anchorId: 'b', side: 'after' }))).toBe('bac')
  expect(ids(withMove(rows, { id: 'a', anchorId: 'x', side: 'after' }))).toBe('abc')
  expect(ids(withMove(rows, { id: 'x', anchorId: 'a', side: 'after' }))).toBe('abc')
})

test('a row moves only past an editable row of the same category', () => {
  const rows = [row('a'), row('b', 'К', false), row('c'), row('d', 'Другая')]
  expect(findMove(rows, [...'cabd'], 'c')).toEqual({ id: 'c', anchorId: 'a', side: 'before' })
  expect(findMove(rows, [...'bcad'], 'a')).toEqual({ id: 'a', anchorId: 'c', side: 'after' })
  expect(findMove(rows, [...'acbd'], 'c')).toBeNull()
  expect(findMove(rows, [...'bacd'], 'a')).toBeNull()
  expect(findMove(rows, [...'abdc'], 'c')).toBeNull()
  expect(findMove(rows, [...'abcd'], 'a')).toBeNull()
  expect(findMove(rows, [...'xabcd'], 'x')).toBeNull()
})

test('rows without edit rights are skipped', () => {
  const rows = [row('a'), row('b', 'К', false), row('c')]
  expect(isNeighbour(rows, 'a', 'c')).toBe(true)
  expect(isNeighbour(rows, 'a', 'b')).toBe(false)
  expect(isNeighbour(rows, 'b', 'a')).toBe(false)
  expect(isNeighbour(rows, 'a', 'a')).toBe(false)
})
