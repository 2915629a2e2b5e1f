import { expect, test } from 'vitest'
import { readShown, writeShown } from './thread-filter.ts'

const read = (search: string) => readShown(new URLSearchParams(search))

test('without anything in the address the active chats are shown', () => {
  expect(read('')).toEqual({ view: 'active', query: '' })
  expect(writeShown({ view: 'active', query: '' }).toString()).toBe('')
})

test('what is written into the address is read from it again', () => {
  const shown = { view: 'trash', query: 'отпуск & море' } as const
  expect(readShown(writeShown(shown))).toEqual(shown)
})

test('an address made up by hand shows something all the same', () => {
  expect(read('view=everything&query=%20%20')).toEqual({ view: 'active', query: '' })
  expect(read(`query=${'я'.repeat(500)}`).query).toHaveLength(200)
})
