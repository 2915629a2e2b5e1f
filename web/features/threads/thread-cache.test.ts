import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Thread } from '#contract/threads.ts'
import { threadOn } from './testing/threads.ts'
import {
  forgetThread,
  lastKnownKey,
  listedIds,
  listKey,
  showThread,
  storeThread,
  type ThreadPages,
} from './thread-cache.ts'
import { rowsOf, type View } from './thread-pages.ts'

function clientWith(lists: { view: View; query?: string; rows: Thread[] }[]) {
  const client = new QueryClient()
  for (const { view, query, rows } of lists) {
    client.setQueryData<ThreadPages>(listKey(view, query), {
      pages: [{ items: rows, nextCursor: null }],
      pageParams: [null],
    })
  }
  const ids = (view: View, query?: string) =>
    rowsOf(client.getQueryData<ThreadPages>(listKey(view, query))?.pages ?? []).map(({ id }) => id)
  return { client, ids }
}

test('an archived thread moves to its list and leaves the search', () => {
  const { client, ids } = clientWith([
    { view: 'active', rows: [threadOn(30), threadOn(20)] },
    { view: 'archived', rows: [threadOn(10, { archived: true })] },
    { view: 'active', query: 'отпуск', rows: [threadOn(20)] },
    { view: 'archived', query: 'отпуск', rows: [] },
  ])
  showThread(client, threadOn(20, { archived: true }))
  expect(ids('active')).toEqual(['day-30'])
  expect(ids('archived')).toEqual(['day-20', 'day-10'])
  expect(ids('active', 'отпуск')).toEqual([])
  expect(ids('archived', 'отпуск')).toEqual([])
})

test('a list that was never loaded is not created', () => {
  const { client } = clientWith([{ view: 'active', rows: [threadOn(30)] }])
  showThread(client, threadOn(30, { archived: true }))
  expect(client.getQueryData(listKey('archived'))).toBeUndefined()
})

test('the server’s thread is cached until it is deleted forever', () => {
  const { client, ids } = clientWith([{ view: 'active', rows: [threadOn(30), threadOn(20)] }])
  storeThread(client, threadOn(20, { title: 'Море', version: 2 }))
  expect(client.getQueryData<Thread>(lastKnownKey('day-20'))?.title).toBe('Море')
  forgetThread(client, 'day-20')
  expect(client.getQueryData(lastKnownKey('day-20'))).toBeUndefined()
  expect(ids('active')).toEqual(['day-30'])
})

test('the ids of the active list are known in their order', () => {
  const { client } = clientWith([{ view: 'active', rows: [threadOn(3, { pinned: true }), threadOn(30)] }])
  expect(listedIds(client)).toEqual(['day-3', 'day-30'])
  expect(listedIds(new QueryClient())).toEqual([])
})
