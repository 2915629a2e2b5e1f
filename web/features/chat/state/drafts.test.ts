import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDrafts, draftKey, emptyDraft } from './drafts.ts'

const key = draftKey('anna', 't1')

function aStorage() {
  const stored = new Map<string, string>()
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: vi.fn((name: string, value: string) => void stored.set(name, value)),
    removeItem: (name: string) => void stored.delete(name),
    key: (i: number) => [...stored.keys()][i] ?? null,
    get length() {
      return stored.size
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a draft is there after a reload', () => {
  const storage = aStorage()
  const drafts = createDrafts(storage)
  drafts.write(key, { text: 'Недописанное', files: [] })
  vi.runAllTimers()
  expect(createDrafts(storage).read(key).text).toBe('Недописанное')
})

test('typing is stored once per interval, not on every key', () => {
  const storage = aStorage()
  const drafts = createDrafts(storage)
  for (const text of ['П', 'Пр', 'При']) drafts.write(key, { text, files: [] })
  expect(storage.setItem).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(storage.setItem).toHaveBeenCalledOnce()
})

test('leaving the page stores the draft at once', () => {
  const storage = aStorage()
  const drafts = createDrafts(storage)
  drafts.write(key, { text: 'Последнее слово', files: [] })
  drafts.flush()
  expect(createDrafts(storage).read(key).text).toBe('Последнее слово')
})

test('each chat and each user have their own draft', () => {
  const drafts = createDrafts(aStorage())
  drafts.write(key, { text: 'Моё', files: [] })
  expect(drafts.read(draftKey('anna', null))).toEqual(emptyDraft)
  expect(drafts.read(draftKey('boris', 't1'))).toEqual(emptyDraft)
})

test('an emptied draft leaves nothing in the storage', () => {
  const storage = aStorage()
  const drafts = createDrafts(storage)
  drafts.write(key, { text: 'Раз', files: [] })
  drafts.flush()
  drafts.clear(key)
  drafts.flush()
  expect(storage.length).toBe(0)
})

test('appended text goes below the text that is already there', () => {
  const drafts = createDrafts(aStorage())
  drafts.write(key, { text: 'Первое\n', files: [] })
  drafts.append(key, { text: '> цитата', files: [] })
  expect(drafts.read(key).text).toBe('Первое\n\n> цитата')
})

test('a draft sent in another tab disappears unless it is edited here', () => {
  const storage = aStorage()
  const drafts = createDrafts(storage)
  drafts.write(key, { text: 'Вопрос', files: [] })
  drafts.flush()
  const sent = { key, oldValue: storage.getItem(key), newValue: null }

  drafts.write(key, { text: 'Вопрос и ещё', files: [] })
  drafts.receive(sent)
  expect(drafts.read(key).text).toBe('Вопрос и ещё')

  drafts.write(key, { text: 'Вопрос', files: [] })
  drafts.flush()
  drafts.receive(sent)
  expect(drafts.read(key)).toEqual(emptyDraft)
})

test('the oldest drafts are dropped when there are too many', () => {
  const storage = aStorage()
  let time = 0
  const drafts = createDrafts(storage, () => time++)
  for (let i = 0; i < 60; i++) {
    drafts.write(draftKey('anna', `t${i}`), { text: 'x', files: [] })
    drafts.flush()
  }
  expect(storage.length).toBe(50)
  expect(storage.getItem(draftKey('anna', 't9'))).toBeNull()
  expect(storage.getItem(draftKey('anna', 't10'))).not.toBeNull()
})

test('a stored value of another format is ignored', () => {
  const storage = aStorage()
  storage.setItem(key, '{"text":5}')
  expect(createDrafts(storage).read(key)).toEqual(emptyDraft)
})
