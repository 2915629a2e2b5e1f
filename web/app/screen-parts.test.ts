import { expect, test, vi } from 'vitest'
import { createPreloadQueue } from './screen-parts.ts'

function slow() {
  const finish: (() => void)[] = []
  const load = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)))
  return { load, finishOne: () => finish.shift()?.() }
}

test('at most four load at a time, the next begins when one has ended', async () => {
  const { load, finishOne } = slow()
  const preload = createPreloadQueue()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) preload(key, load)
  expect(load).toHaveBeenCalledTimes(4)

  finishOne()
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(5))
})

test('a thing is loaded once', async () => {
  const load = vi.fn(() => Promise.resolve())
  const preload = createPreloadQueue()
  preload('a', load)
  preload('a', load)
  await Promise.resolve()
  preload('a', load)
  expect(load).toHaveBeenCalledTimes(1)
})

test('a thing that failed may be asked for again', async () => {
  const load = vi.fn(() => Promise.reject(new Error('no network')))
  const preload = createPreloadQueue()
  preload('a', load)
  await vi.waitFor(() => {
    preload('a', load)
    expect(load).toHaveBeenCalledTimes(2)
  })
})
