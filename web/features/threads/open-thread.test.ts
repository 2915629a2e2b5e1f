import { expect, test } from 'vitest'
import { lastThread, rememberThread, wayAfterDelete } from './open-thread.ts'

const listIds = ['a', 'b', 'c']

test('deleting the open thread goes to the first remaining thread', () => {
  expect(wayAfterDelete({ openId: 'b', deletedIds: ['b'], listIds })).toBe('/threads/a')
  expect(wayAfterDelete({ openId: 'a', deletedIds: ['a'], listIds })).toBe('/threads/b')
})

test('deleting the last thread goes home', () => {
  expect(wayAfterDelete({ openId: 'a', deletedIds: ['a'], listIds: ['a'] })).toBe('/')
  expect(wayAfterDelete({ openId: 'a', deletedIds: ['a'], listIds: [] })).toBe('/')
})

test('deleting several goes to the first that remains', () => {
  expect(wayAfterDelete({ openId: 'c', deletedIds: ['a', 'c'], listIds })).toBe('/threads/b')
  expect(wayAfterDelete({ openId: 'c', deletedIds: ['a', 'b', 'c'], listIds })).toBe('/')
})

test('deleting another thread than the open one goes nowhere', () => {
  expect(wayAfterDelete({ openId: 'b', deletedIds: ['a'], listIds })).toBeNull()
  expect(wayAfterDelete({ openId: null, deletedIds: ['a'], listIds: ['a'] })).toBeNull()
})

test('an open thread that is in the archive leaves for the first of the list', () => {
  expect(wayAfterDelete({ openId: 'old', deletedIds: ['old'], listIds })).toBe('/threads/a')
})

test('the last open chat is remembered for the one who opened it, until it is gone', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  expect(lastThread('anna', storage)).toBeNull()
  rememberThread('anna', 'one', storage)
  rememberThread('anna', 'two', storage)
  expect(lastThread('anna', storage)).toBe('two')
  expect(lastThread('boris', storage)).toBeNull()
  rememberThread('anna', null, storage)
  expect(lastThread('anna', storage)).toBeNull()
})
