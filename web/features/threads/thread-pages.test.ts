import { expect, test } from 'vitest'
import type { Thread } from '#contract/threads.ts'
import { threadOn } from './testing/threads.ts'
import { applyThreadChange, placeThread, removeThread, replaceFound, rowsOf, viewOf } from './thread-pages.ts'

const page = (items: Thread[], nextCursor: string | null = null) => ({ items, nextCursor })
const ids = (pages: ReturnType<typeof placeThread> | null) => pages && rowsOf(pages).map(({ id }) => id)

const loaded = [page([threadOn(30), threadOn(28)], 'c1'), page([threadOn(26), threadOn(24)], 'c2')]

test('a thread is in the trash, the archive or the active list', () => {
  expect(viewOf(threadOn(1))).toBe('active')
  expect(viewOf(threadOn(1, { archived: true }))).toBe('archived')
  expect(viewOf(threadOn(1, { archived: true, deletedAt: '2026-10-02T00:00:00.000Z' }))).toBe('trash')
})

test('a change is applied as the server will apply it', () => {
  expect(applyThreadChange(threadOn(1), { title: '  Отпуск ' }).title).toBe('Отпуск')
  expect(applyThreadChange(threadOn(1), { pinned: true })).toEqual(threadOn(1, { pinned: true }))
  expect(applyThreadChange(threadOn(1, { deletedAt: '2026-10-02T00:00:00.000Z' }), { deleted: false })).toEqual(
    threadOn(1),
  )
})

test('a pinned thread moves to the top, and back when unpinned', () => {
  const pinned = placeThread(loaded, 'active', threadOn(26, { pinned: true }))
  expect(ids(pinned)).toEqual(['day-26', 'day-30', 'day-28', 'day-24'])
  expect(ids(placeThread(pinned, 'active', threadOn(26)))).toEqual(['day-30', 'day-28', 'day-26', 'day-24'])
})

test('an archived or deleted thread leaves the list until undo', () => {
  const without = placeThread(loaded, 'active', threadOn(28, { archived: true }))
  expect(ids(without)).toEqual(['day-30', 'day-26', 'day-24'])
  expect(ids(placeThread(without, 'active', threadOn(28)))).toEqual(['day-30', 'day-28', 'day-26', 'day-24'])
})

test('a thread older than the loaded pages is not inserted', () => {
  expect(ids(placeThread(loaded, 'active', threadOn(2)))).toEqual(ids(loaded))
  expect(ids(placeThread([page([threadOn(30)])], 'active', threadOn(2)))).toEqual(['day-30', 'day-2'])
  expect(ids(placeThread([page([])], 'active', threadOn(2)))).toEqual(['day-2'])
})

test('the trash is ordered by the day of deletion', () => {
  const gone = (day: number, deletedAt: string) => threadOn(day, { deletedAt })
  const trash = [page([gone(2, '2026-10-20T00:00:00.000Z'), gone(30, '2026-10-10T00:00:00.000Z')])]
  const placed = placeThread(trash, 'trash', gone(9, '2026-10-15T00:00:00.000Z'))
  expect(ids(placed)).toEqual(['day-2', 'day-9', 'day-30'])
})

test('pages and their cursors stay with every change', () => {
  const emptied = placeThread(
    [page([threadOn(30)], 'c1'), page([threadOn(28)], 'c2')],
    'active',
    threadOn(28, { archived: true }),
  )
  expect(emptied.map(({ nextCursor }) => nextCursor)).toEqual(['c1', 'c2'])
  expect(ids(emptied)).toEqual(['day-30'])
})

test('unchanged rows stay the same objects', () => {
  const before = rowsOf(loaded)
  const after = rowsOf(placeThread(loaded, 'active', threadOn(26, { title: 'Новое' })))
  expect(after.filter((row) => before.includes(row))).toHaveLength(3)
})

test('a found thread stays in place until its view changes', () => {
  const found = { messageId: 'm1', fragment: [{ text: 'отпуск', hit: true }] }
  const pages = [page([{ ...threadOn(2), found } as Thread, threadOn(30)])]
  const renamed = replaceFound(pages, 'active', threadOn(2, { title: 'Море' }))
  expect(renamed[0]?.items[0]).toEqual({ ...threadOn(2, { title: 'Море' }), found })
  expect(ids(replaceFound(pages, 'active', threadOn(2, { archived: true })))).toEqual(['day-30'])
})

test('a thread deleted forever is removed from every page', () => {
  expect(ids(removeThread(loaded, 'day-26'))).toEqual(['day-30', 'day-28', 'day-24'])
})
