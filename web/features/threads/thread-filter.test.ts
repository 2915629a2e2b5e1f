import { expect, test } from 'vitest'
import { readThreadsFilter, writeThreadsFilter } from './thread-filter.ts'

const read = (search: string) => readThreadsFilter(new URLSearchParams(search))

test('an address without parameters shows the active threads', () => {
  expect(read('')).toEqual({ view: 'active', query: '' })
  expect(writeThreadsFilter({ view: 'active', query: '' }).toString()).toBe('')
})

test('a filter survives the address', () => {
  const shown = { view: 'trash', query: 'отпуск & море' } as const
  expect(readThreadsFilter(writeThreadsFilter(shown))).toEqual(shown)
})

test('wrong parameters fall back to the defaults', () => {
  expect(read('view=everything&query=%20%20')).toEqual({ view: 'active', query: '' })
  expect(read(`query=${'я'.repeat(500)}`).query).toHaveLength(200)
})
