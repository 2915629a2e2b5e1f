import { expect, test, vi } from 'vitest'
import { setPageState } from '#web/lib/page-state.ts'
import { createPreloadQueue, LazyFrame, preloadFirstScreen, screenComponent } from './screen-parts.ts'

function slow() {
  const finish: (() => void)[] = []
  const load = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)))
  return { load, finishOne: () => finish.shift()?.() }
}

test('at most four parts load at a time (S9.25)', async () => {
  const { load, finishOne } = slow()
  const preload = createPreloadQueue()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) preload(key, load)
  expect(load).toHaveBeenCalledTimes(4)

  finishOne()
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(5))
})

test('a part is loaded once', async () => {
  const load = vi.fn(() => Promise.resolve())
  const preload = createPreloadQueue()
  preload('a', load)
  preload('a', load)
  await Promise.resolve()
  preload('a', load)
  expect(load).toHaveBeenCalledTimes(1)
})

test('a failed part can be requested again', async () => {
  const load = vi.fn(() => Promise.reject(new Error('no network')))
  const preload = createPreloadQueue()
  preload('a', load)
  await vi.waitFor(() => {
    preload('a', load)
    expect(load).toHaveBeenCalledTimes(2)
  })
})

test('only the first screen is loaded before it is rendered (S10.463)', async () => {
  const loads = [LazyFrame, screenComponent('index'), screenComponent('help')].map((part) =>
    vi.spyOn(part, 'load').mockRejectedValue(new Error('offline')),
  )
  const loadedAt = async (pathname: string, user: object | null) => {
    vi.stubGlobal('location', { pathname })
    setPageState({ config: {}, user } as unknown as Parameters<typeof setPageState>[0])
    await preloadFirstScreen()
    return loads.map((load) => load.mock.calls.splice(0).length)
  }
  expect(await loadedAt('/', { id: 'u1' })).toEqual([1, 1, 0])
  expect(await loadedAt('/', null)).toEqual([0, 0, 0])
  expect(await loadedAt('/nowhere', { id: 'u1' })).toEqual([0, 0, 0])
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
