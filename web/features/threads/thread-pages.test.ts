import { expect, test } from 'vitest'
import type { Thread } from '#contract/threads.ts'
import { on } from './testing/threads.ts'
import {
  catchUp,
  pagesOf,
  placeThread,
  removeThread,
  replaceFound,
  rowsOf,
  viewOf,
  withChange,
} from './thread-pages.ts'

const page = (items: Thread[], nextCursor: string | null = null) => ({ items, nextCursor })
const ids = (pages: ReturnType<typeof placeThread> | null) => pages && rowsOf(pages).map(({ id }) => id)

const loaded = [page([on(30), on(28)], 'c1'), page([on(26), on(24)], 'c2')]

test('a thread is in the trash, in the archive or among the others, in this order', () => {
  expect(viewOf(on(1))).toBe('active')
  expect(viewOf(on(1, { archived: true }))).toBe('archived')
  expect(viewOf(on(1, { archived: true, deletedAt: '2026-10-02T00:00:00.000Z' }))).toBe('trash')
})

test('a change shows what the server will answer', () => {
  expect(withChange(on(1), { title: '  Отпуск ' }).title).toBe('Отпуск')
  expect(withChange(on(1), { pinned: true })).toEqual(on(1, { pinned: true }))
  expect(withChange(on(1, { deletedAt: '2026-10-02T00:00:00.000Z' }), { deleted: false })).toEqual(on(1))
})

test('a pinned thread goes to the top, and back to its day when it is let go', () => {
  const pinned = placeThread(loaded, 'active', on(26, { pinned: true }))
  expect(ids(pinned)).toEqual(['day-26', 'day-30', 'day-28', 'day-24'])
  expect(ids(placeThread(pinned, 'active', on(26)))).toEqual(['day-30', 'day-28', 'day-26', 'day-24'])
})

test('a thread that was archived or deleted leaves the list, and undoing brings it back to its place', () => {
  const without = placeThread(loaded, 'active', on(28, { archived: true }))
  expect(ids(without)).toEqual(['day-30', 'day-26', 'day-24'])
  expect(ids(placeThread(without, 'active', on(28)))).toEqual(['day-30', 'day-28', 'day-26', 'day-24'])
})

test('a thread older than what is loaded waits for its page, unless there are no more pages', () => {
  expect(ids(placeThread(loaded, 'active', on(2)))).toEqual(ids(loaded))
  expect(ids(placeThread([page([on(30)])], 'active', on(2)))).toEqual(['day-30', 'day-2'])
  expect(ids(placeThread([page([])], 'active', on(2)))).toEqual(['day-2'])
})

test('the trash is ordered by the day of deletion', () => {
  const gone = (day: number, deletedAt: string) => on(day, { deletedAt })
  const trash = [page([gone(2, '2026-10-20T00:00:00.000Z'), gone(30, '2026-10-10T00:00:00.000Z')])]
  const placed = placeThread(trash, 'trash', gone(9, '2026-10-15T00:00:00.000Z'))
  expect(ids(placed)).toEqual(['day-2', 'day-9', 'day-30'])
})

test('pages, their number and their cursors outlive every change', () => {
  const emptied = placeThread([page([on(30)], 'c1'), page([on(28)], 'c2')], 'active', on(28, { archived: true }))
  expect(emptied.map(({ nextCursor }) => nextCursor)).toEqual(['c1', 'c2'])
  expect(ids(emptied)).toEqual(['day-30'])
})

test('rows that did not change are the same objects, so that nothing is drawn anew', () => {
  const before = rowsOf(loaded)
  const after = rowsOf(placeThread(loaded, 'active', on(26, { title: 'Новое' })))
  expect(after.filter((row) => before.includes(row))).toHaveLength(3)
})

test('what a search found keeps its place and its words, and leaves with its view', () => {
  const found = { messageId: 'm1', pieces: [{ text: 'отпуск', hit: true }] }
  const pages = [page([{ ...on(2), found } as Thread, on(30)])]
  const renamed = replaceFound(pages, 'active', on(2, { title: 'Море' }))
  expect(renamed[0]?.items[0]).toEqual({ ...on(2, { title: 'Море' }), found })
  expect(ids(replaceFound(pages, 'active', on(2, { archived: true })))).toEqual(['day-30'])
})

test('a thread deleted for good is gone from every page', () => {
  expect(ids(removeThread(loaded, 'day-26'))).toEqual(['day-30', 'day-28', 'day-24'])
})

test('news of a thread that was written in: the first page read again brings it to the top', () => {
  const written = { ...on(24), updatedAt: '2026-10-31T09:00:00.000Z' }
  const after = catchUp(loaded, [written, on(30)], new Map([['day-24', 'changed']]))
  expect(ids(after)).toEqual(['day-24', 'day-30', 'day-28', 'day-26'])
})

test('news of a new thread: it is there, and nothing is there twice', () => {
  expect(ids(catchUp(loaded, [on(31), on(30)], new Map([['day-31', 'changed']])))).toEqual([
    'day-31',
    'day-30',
    'day-28',
    'day-26',
    'day-24',
  ])
})

test('news of a thread that is nowhere to be seen: the whole list has to be read', () => {
  expect(catchUp(loaded, [on(30), on(28)], new Map([['day-24', 'changed']]))).toBeNull()
})

test('news of a thread that was deleted elsewhere takes it away, unless it is back already', () => {
  const batch = new Map([['day-24', 'removed']] as const)
  expect(ids(catchUp(loaded, [on(30), on(28)], batch))).toEqual(['day-30', 'day-28', 'day-26'])
  expect(ids(catchUp(loaded, [on(26), on(24)], batch))).toEqual(ids(loaded))
})

test('a page read again never brings rows from beyond what is loaded', () => {
  const after = catchUp(loaded, [on(26), on(24, { title: 'Новое' }), on(2)], new Map([['day-24', 'changed']]))
  expect(ids(after)).toEqual(['day-30', 'day-28', 'day-26', 'day-24'])
})

test('news is looked for on the first page and on those that hold the threads', () => {
  expect(pagesOf(loaded, new Set(['day-24', 'day-99']))).toEqual([0, 1])
  expect(pagesOf(loaded, new Set(['day-30']))).toEqual([0])
})
