import { expect, test } from 'vitest'
import { bulkLabel, undoOf } from './bulk-actions.ts'

test('a finished action is reported with its count', () => {
  expect(bulkLabel('delete', 1)).toBe('Удалён 1 промпт')
  expect(bulkLabel('publish', 3)).toBe('Опубликовано 3 промпта')
  expect(bulkLabel('restore', 21)).toBe('Возвращён 21 промпт')
  expect(bulkLabel('delete', 11)).toBe('Удалено 11 промптов')
  expect(bulkLabel('publish', 0)).toContain('нечего')
})

test('each action is undone by its opposite, only on the changed prompts (S10.142)', () => {
  const changed = [
    { id: 'a', category: 'К1' },
    { id: 'b', category: 'К2' },
    { id: 'c', category: 'К1' },
  ]
  expect(undoOf('delete', { changed }, false)).toEqual([{ action: 'restore', ids: ['a', 'b', 'c'] }])
  expect(undoOf('publish', { changed }, true)).toEqual([{ action: 'unpublish', ids: ['a', 'b', 'c'] }])
  expect(undoOf('categorise', { changed }, false)).toEqual([
    { action: 'categorise', category: 'К1', ids: ['a', 'c'] },
    { action: 'categorise', category: 'К2', ids: ['b'] },
  ])
  expect(undoOf('delete', { changed: [] }, true)).toEqual([])
})

test('a user without publish rights cannot undo unpublishing', () => {
  const changed = [{ id: 'a', category: 'К' }]
  expect(undoOf('unpublish', { changed }, false)).toEqual([])
  expect(undoOf('unpublish', { changed }, true)).toEqual([{ action: 'publish', ids: ['a'] }])
})
