import { expect, test } from 'vitest'
import { lastThread, pathAfterDelete, rememberThread } from './open-thread.ts'

const listIds = ['a', 'b', 'c']

test('deleting the open thread goes to the first remaining thread (S2.76)', () => {
  expect(pathAfterDelete({ openId: 'b', deletedIds: ['b'], listIds })).toBe('/threads/a')
  expect(pathAfterDelete({ openId: 'a', deletedIds: ['a'], listIds })).toBe('/threads/b')
})

test('deleting the last thread goes home (S2.76)', () => {
  expect(pathAfterDelete({ openId: 'a', deletedIds: ['a'], listIds: ['a'] })).toBe('/')
  expect(pathAfterDelete({ openId: 'a', deletedIds: ['a'], listIds: [] })).toBe('/')
})

test('deleting several threads goes to the first remaining thread', () => {
  expect(pathAfterDelete({ openId: 'c', deletedIds: ['a', 'c'], listIds })).toBe('/threads/b')
  expect(pathAfterDelete({ openId: 'c', deletedIds: ['a', 'b', 'c'], listIds })).toBe('/')
})

test('deleting another thread keeps the open thread', () => {
  expect(pathAfterDelete({ openId: 'b', deletedIds: ['a'], listIds })).toBeNull()
  expect(pathAfterDelete({ openId: null, deletedIds: ['a'], listIds: ['a'] })).toBeNull()
})

test('deleting an open archived thread opens the first listed thread', () => {
  expect(pathAfterDelete({ openId: 'old', deletedIds: ['old'], listIds })).toBe('/threads/a')
})

test('the last open thread is stored per user until it is deleted', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  expect(lastThread('anna', storage)).toBeNull()
  rememberThread('anna', 'one', storage)
  rememberThread('anna', 'two', storage)
  expect(lastThread('anna', storage)).toBe('two')
  expect(lastThread('boris', storage)).toBeNull()
  rememberThread('anna', null, storage)
  expect(lastThread('anna', storage)).toBeNull()
})
