import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { Thread } from '#contract/threads.ts'
import { threadsQuery } from './queries.ts'
import { on } from './testing/threads.ts'
import { listedIds, THREADS } from './thread-cache.ts'
import { applyEvents } from './thread-events.ts'
import type { ListChange } from './thread-pages.ts'

/** Three pages of two, as the server has them; a cursor is the place of its page. */
let pages: Thread[][]
let asked: string[]
let client: QueryClient
let stop: () => void

beforeEach(() => {
  pages = [
    [on(30), on(28)],
    [on(26), on(24)],
    [on(22), on(20)],
  ]
  asked = []
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'https://symbol.test')
    const place = Number(searchParams.get('cursor') ?? 0)
    asked.push(`${searchParams.get('view')} ${place}`)
    const next = place + 1 < pages.length ? { [NEXT_CURSOR]: String(place + 1) } : {}
    return Response.json(pages[place], { headers: next })
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

test('an answer in an old chat brings it to the top, and only two pages are read for it', async () => {
  await open()
  // It is on both pages when it moves between the two reads.
  pages[0] = [on(20, { updatedAt: '2026-10-31T09:00:00.000Z', version: 2 }), on(30)]
  await applyEvents(client, batch('day-20', 'changed'))
  expect(asked).toEqual(['active 0', 'active 2'])
  expect(listedIds(client)).toEqual(['day-20', 'day-30', 'day-28', 'day-26', 'day-24', 'day-22'])
})

test('a new chat on another device appears for one page read', async () => {
  await open()
  pages[0] = [on(31), on(30)]
  await applyEvents(client, batch('day-31', 'changed'))
  expect(asked).toEqual(['active 0'])
  expect(listedIds(client)[0]).toBe('day-31')
  expect(listedIds(client)).toHaveLength(7)
})

test('a chat deleted elsewhere goes without the whole list being read', async () => {
  await open()
  await applyEvents(client, batch('day-22', 'removed'))
  pages[2] = [on(20)]
  await applyEvents(client, batch('day-22', 'removed'))
  expect(listedIds(client)).not.toContain('day-22')
  expect(asked).not.toContain('active 1')
})

test('a chat archived elsewhere: nobody can tell where it went, so the list is read whole', async () => {
  await open()
  pages[1] = [on(24)]
  await applyEvents(client, batch('day-26', 'changed'))
  expect(listedIds(client)).toEqual(['day-30', 'day-28', 'day-24', 'day-22', 'day-20'])
})

test('a list that nobody sees is not read before somebody does', async () => {
  await open()
  stop()
  await applyEvents(client, batch('day-20', 'changed'))
  expect(asked).toEqual([])
  expect(client.getQueryState(threadsQuery('active').queryKey)?.isInvalidated).toBe(true)
})

test('news waits for a change that is on its way from here', async () => {
  await open()
  let finish = () => {}
  const change = client
    .getMutationCache()
    .build(client, { mutationKey: [THREADS, 'change'], mutationFn: () => new Promise<void>((done) => (finish = done)) })
  const changing = change.execute(undefined)
  const transcriptionQueue = applyEvents(client, batch('day-20', 'changed'))
  // Proves that nothing is asked for meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(asked).toEqual([])
  finish()
  await Promise.all([changing, transcriptionQueue])
  expect(asked).toEqual(['active 0', 'active 2'])
})
