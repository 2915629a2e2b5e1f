import { expect, test } from 'vitest'
import { lastThread, rememberThread } from './last-thread.ts'

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
