import { expect, test, vi } from 'vitest'
import { createOutbox, type OutboxItem } from './outbox.ts'

function aStorage() {
  const stored = new Map<string, string>()
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
    key: (i: number) => [...stored.keys()][i] ?? null,
    get length() {
      return stored.size
    },
  }
}

function anItem(id: string, at = 1): OutboxItem {
  return { id, userId: 'anna', threadId: 't1', content: `Сообщение ${id}`, files: [], at }
}

test('unsent messages are there after a reload, in the order of writing', () => {
  const storage = aStorage()
  const outbox = createOutbox(storage)
  outbox.put(anItem('second', 2))
  outbox.put({ ...anItem('first', 1), parentId: null, newThread: { modelId: 'm1', assistantId: null } })
  const reloaded = createOutbox(storage).all()
  expect(reloaded.map(({ id }) => id)).toEqual(['first', 'second'])
  expect(reloaded[0]).toMatchObject({ parentId: null, newThread: { modelId: 'm1' } })
})

test('a sent message leaves nothing in the storage', () => {
  const storage = aStorage()
  const outbox = createOutbox(storage)
  outbox.put(anItem('a'))
  outbox.remove('a')
  expect(outbox.all()).toEqual([])
  expect(storage.length).toBe(0)
})

test('two tabs see the same messages', () => {
  const storage = aStorage()
  const [here, there] = [createOutbox(storage), createOutbox(storage)]
  const listener = vi.fn()
  there.subscribe(listener)
  here.put(anItem('a'))
  there.receive({ key: 'outbox:a' })
  expect(there.all()).toHaveLength(1)
  here.remove('a')
  there.receive({ key: 'outbox:a' })
  expect(there.all()).toHaveLength(0)
  expect(listener).toHaveBeenCalledTimes(2)
})

test('the list is the same object until something changes', () => {
  const outbox = createOutbox(aStorage())
  outbox.put(anItem('a'))
  expect(outbox.all()).toBe(outbox.all())
  const before = outbox.all()
  outbox.update('a', { failure: { code: 'x', message: 'Не вышло' } })
  expect(outbox.all()).not.toBe(before)
  expect(outbox.get('a')?.failure?.message).toBe('Не вышло')
})

test('a change of a removed message does not bring it back', () => {
  const outbox = createOutbox(aStorage())
  outbox.put(anItem('a'))
  outbox.remove('a')
  outbox.update('a', { failure: { code: 'x', message: 'Не вышло' } })
  expect(outbox.all()).toEqual([])
})

test('a full storage keeps a message until the page is closed', () => {
  const storage = aStorage()
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const outbox = createOutbox({ ...storage, length: 0, setItem: full })
  outbox.put(anItem('a'))
  expect(outbox.all()).toHaveLength(1)
})
