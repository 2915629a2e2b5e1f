import { expect, test } from 'vitest'
import { bulkWords, undoOf } from './bulk-words.ts'

test('what was done is said with its number', () => {
  expect(bulkWords('delete', 1)).toBe('Удалён 1 промпт')
  expect(bulkWords('publish', 3)).toBe('Опубликовано 3 промпта')
  expect(bulkWords('restore', 21)).toBe('Возвращён 21 промпт')
  expect(bulkWords('delete', 11)).toBe('Удалено 11 промптов')
  expect(bulkWords('publish', 0)).toContain('нечего')
})

test('each act is taken back by its opposite, on what it really changed', () => {
  const changed = [
    { id: 'a', category: 'К1' },
    { id: 'b', category: 'К2' },
    { id: 'c', category: 'К1' },
  ]
  expect(undoOf('delete', { changed }, false)).toEqual([{ act: 'restore', ids: ['a', 'b', 'c'] }])
  expect(undoOf('publish', { changed }, true)).toEqual([{ act: 'unpublish', ids: ['a', 'b', 'c'] }])
  expect(undoOf('categorise', { changed }, false)).toEqual([
    { act: 'categorise', category: 'К1', ids: ['a', 'c'] },
    { act: 'categorise', category: 'К2', ids: ['b'] },
  ])
  expect(undoOf('delete', { changed: [] }, true)).toEqual([])
})

test('who may not publish cannot take an unpublishing back', () => {
  const changed = [{ id: 'a', category: 'К' }]
  expect(undoOf('unpublish', { changed }, false)).toEqual([])
  expect(undoOf('unpublish', { changed }, true)).toEqual([{ act: 'publish', ids: ['a'] }])
})
