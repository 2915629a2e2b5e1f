import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { Thread } from '#contract/threads.ts'
import { threadsQuery } from './queries.ts'
import { threadOn } from './testing/threads.ts'
import { listedIds, THREADS } from './thread-cache.ts'
import { createListRefetch, moveInPanel } from './thread-events.ts'

/** Three pages of two threads, as the server has them. A cursor is the index of its page. */
let pages: Thread[][]
let requests: string[]
let client: QueryClient
let stop: () => void

beforeEach(() => {
  pages = [
    [threadOn(30), threadOn(28)],
    [threadOn(26), threadOn(24)],
    [threadOn(22), threadOn(20)],
  ]
  requests = []
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'https://symbol.test')
    const index = Number(searchParams.get('cursor') ?? 0)
    requests.push(`${searchParams.get('view')} ${index}`)
    const headers = new Headers()
    if (index + 1 < pages.length) headers.set(NEXT_CURSOR, String(index + 1))
    return Response.json(pages[index], { headers })
  })
})

afterEach(() => {
  stop()
  client.clear()
  vi.unstubAllGlobals()
})

async function open() {
  const observer = new InfiniteQueryObserver(client, threadsQuery('active'))
  stop = observer.subscribe(() => {})
  for (const _ of pages) await observer.fetchNextPage()
  requests = []
}

test('an exchange moves its thread in the list without reading it (S10.491)', async () => {
  await open()
  const Model = { id: 'm1', name: 'Умная' }
  const moved = (version: number, updatedAt: string) =>
    moveInPanel(client, 'day-20', { data: { change: { version, updatedAt, currentLeafId: 'a2', Model } } })
  expect(moved(2, '2026-10-29T09:00:00.000Z')).toBe(true)
  expect(listedIds(client)).toEqual(['day-30', 'day-20', 'day-28', 'day-26', 'day-24', 'day-22'])
  // An event that comes late changes nothing.
  expect(moved(1, '2026-10-01T09:00:00.000Z')).toBe(true)
  expect(listedIds(client)[1]).toBe('day-20')
  expect(requests).toEqual([])
})

test('an unlisted or changed thread is read (S10.491)', async () => {
  await open()
  const change = { version: 2, updatedAt: '2026-10-29T09:00:00.000Z', currentLeafId: null, Model: null }
  expect(moveInPanel(client, 'day-31', { data: { change } })).toBe(false)
  expect(moveInPanel(client, 'day-20', { data: { id: 'day-20' } })).toBe(false)
})

const moments = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a burst of events refetches the shown list once', async () => {
  await open()
  pages[0] = [threadOn(31), threadOn(30)]
  const refetch = createListRefetch(client)
  for (let i = 0; i < 5; i++) refetch.start()
  await vi.waitFor(() => expect(listedIds(client)[0]).toBe('day-31'))
  await moments(350)
  expect(requests).toEqual(['active 0', 'active 1', 'active 2'])
})

test('a list that is not shown is only marked stale', async () => {
  await open()
  stop()
  createListRefetch(client).start()
  await vi.waitFor(() => expect(client.getQueryState(threadsQuery('active').queryKey)?.isInvalidated).toBe(true))
  expect(requests).toEqual([])
})

test('the lists are not refetched while this page is sending a change', async () => {
  await open()
  let finish = () => {}
  const change = client
    .getMutationCache()
    .build(client, { mutationKey: [THREADS, 'change'], mutationFn: () => new Promise<void>((done) => (finish = done)) })
  const changing = change.execute(undefined)
  createListRefetch(client).start()
  await moments(400)
  expect(requests).toEqual([])
  finish()
  await changing
  await vi.waitFor(() => expect(requests).toEqual(['active 0', 'active 1', 'active 2']))
})

test('nothing is refetched after stop', async () => {
  await open()
  const refetch = createListRefetch(client)
  refetch.start()
  refetch.stop()
  await moments(400)
  expect(requests).toEqual([])
})
