import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { Thread } from '#contract/threads.ts'
import { threadsQuery } from './queries.ts'
import { threadOn } from './testing/threads.ts'
import { listedIds, THREADS } from './thread-cache.ts'
import { applyEvents, createBatcher, moveInPanel } from './thread-events.ts'
import type { ListChange } from './thread-pages.ts'

/** Three pages of two threads, as the server has them. A cursor is the index of its page. */
let pages: Thread[][]
let asked: string[]
let client: QueryClient
let stop: () => void

beforeEach(() => {
  pages = [
    [threadOn(30), threadOn(28)],
    [threadOn(26), threadOn(24)],
    [threadOn(22), threadOn(20)],
  ]
  asked = []
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'https://symbol.test')
    const index = Number(searchParams.get('cursor') ?? 0)
    asked.push(`${searchParams.get('view')} ${index}`)
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
  asked = []
}

const batch = (id: string, type: ListChange) => new Map([[id, type]])

test('an answer in an old thread moves it to the top, and only two pages are read', async () => {
  await open()
  // A thread that moves between the two reads is on both pages.
  pages[0] = [threadOn(20, { updatedAt: '2026-10-31T09:00:00.000Z', version: 2 }), threadOn(30)]
  await applyEvents(client, batch('day-20', 'changed'))
  expect(asked).toEqual(['active 0', 'active 2'])
  expect(listedIds(client)).toEqual(['day-20', 'day-30', 'day-28', 'day-26', 'day-24', 'day-22'])
})

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
  expect(asked).toEqual([])
})

test('a thread that is not listed, or has changed otherwise, is read (S10.491)', async () => {
  await open()
  const change = { version: 2, updatedAt: '2026-10-29T09:00:00.000Z', currentLeafId: null, Model: null }
  expect(moveInPanel(client, 'day-31', { data: { change } })).toBe(false)
  expect(moveInPanel(client, 'day-20', { data: { id: 'day-20' } })).toBe(false)
})

test('a new thread of another device appears after reading one page', async () => {
  await open()
  pages[0] = [threadOn(31), threadOn(30)]
  await applyEvents(client, batch('day-31', 'changed'))
  expect(asked).toEqual(['active 0'])
  expect(listedIds(client)[0]).toBe('day-31')
  expect(listedIds(client)).toHaveLength(7)
})

test('a thread deleted elsewhere disappears without reading the whole list', async () => {
  await open()
  await applyEvents(client, batch('day-22', 'removed'))
  pages[2] = [threadOn(20)]
  await applyEvents(client, batch('day-22', 'removed'))
  expect(listedIds(client)).not.toContain('day-22')
  expect(asked).not.toContain('active 1')
})

test('a thread archived elsewhere is not found on the pages that were read, so the whole list is read', async () => {
  await open()
  pages[1] = [threadOn(24)]
  await applyEvents(client, batch('day-26', 'changed'))
  expect(listedIds(client)).toEqual(['day-30', 'day-28', 'day-24', 'day-22', 'day-20'])
})

test('a list that is not shown is only marked stale', async () => {
  await open()
  stop()
  await applyEvents(client, batch('day-20', 'changed'))
  expect(asked).toEqual([])
  expect(client.getQueryState(threadsQuery('active').queryKey)?.isInvalidated).toBe(true)
})

test('events wait for a change that this page is sending', async () => {
  await open()
  let finish = () => {}
  const change = client
    .getMutationCache()
    .build(client, { mutationKey: [THREADS, 'change'], mutationFn: () => new Promise<void>((done) => (finish = done)) })
  const changing = change.execute(undefined)
  const applying = applyEvents(client, batch('day-20', 'changed'))
  // Proves that nothing is asked for meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(asked).toEqual([])
  finish()
  await Promise.all([changing, applying])
  expect(asked).toEqual(['active 0', 'active 2'])
})

function useFakeTimers() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

type Batch = [string, string][]

test('a burst is handled once, and the last value of each key counts', async () => {
  useFakeTimers()
  const batches: Batch[] = []
  const { add } = createBatcher(async (batch: Map<string, string>) => batches.push([...batch]), 300)
  add('a', 'changed')
  add('b', 'changed')
  add('a', 'removed')
  await vi.advanceTimersByTimeAsync(299)
  expect(batches).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(batches).toEqual([
    [
      ['a', 'removed'],
      ['b', 'changed'],
    ],
  ])
})

test('values that arrive while a batch is handled go into the next batch', async () => {
  useFakeTimers()
  const batches: Batch[] = []
  let finish = () => {}
  const { add } = createBatcher(async (batch: Map<string, string>) => {
    batches.push([...batch])
    await new Promise<void>((done) => {
      finish = done
    })
  }, 300)
  add('a', 'changed')
  await vi.advanceTimersByTimeAsync(300)
  add('b', 'changed')
  await vi.advanceTimersByTimeAsync(5000)
  expect(batches).toEqual([[['a', 'changed']]])
  finish()
  await vi.advanceTimersByTimeAsync(300)
  expect(batches).toEqual([[['a', 'changed']], [['b', 'changed']]])
})

test('a batch that fails does not stop the next one', async () => {
  useFakeTimers()
  const batches: Batch[] = []
  const { add } = createBatcher(async (batch: Map<string, string>) => {
    batches.push([...batch])
    throw new Error('Нет связи')
  }, 300)
  add('a', 'changed')
  await vi.advanceTimersByTimeAsync(300)
  add('b', 'changed')
  await vi.advanceTimersByTimeAsync(300)
  expect(batches).toHaveLength(2)
})

test('nothing is handled after stop', async () => {
  useFakeTimers()
  const handle = vi.fn(async () => {})
  const { add, stop } = createBatcher(handle, 300)
  add('a', 'changed')
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(handle).not.toHaveBeenCalled()
})
